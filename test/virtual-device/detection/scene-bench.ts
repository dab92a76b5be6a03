import type { Variant } from '../../../lib/contract'
import type { Pose } from '../../../lib/robotics/pose'
import { manualClock } from '../../../virtual-device'
import type { SceneSettings } from '../../../virtual-device/detection/scene'
import { moduleBench } from '../../support/module-bench'

export const identity: Pose = { position: { x: 0, y: 0, z: 0 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }

/** The model of the load carrier that is in the scene unless the scenario says otherwise. */
export const bin = {
  id: 'bin',
  outer_dimensions: { x: 0.6, y: 0.4, z: 0.2 },
  inner_dimensions: { x: 0.56, y: 0.36, z: 0.19 },
}

/** A gripper with one box below its flange: 10 cm long, its TCP at the end. Metres. */
export const gripper = (width = 0.04) => ({
  id: 'cup',
  elements: [
    {
      id: 'tube',
      parent_id: 'flange',
      type: 'BOX',
      box: { x: width, y: width, z: 0.1 },
      pose: { ...identity, position: { x: 0, y: 0, z: 0.05 } },
    },
  ],
  flange_radius: 0.05,
  tcp_parent_id: 'flange',
  tcp_pose_parent: { ...identity, position: { x: 0, y: 0, z: 0.1 } },
})

export interface Placed {
  uuid: string
  pose: Pose
  pose_frame: string
  timestamp: { sec: number; nsec: number }
}

/** All modules, and the records required for detection. */
export function sceneBench({
  variant = 'single',
  kind = 'stereo_a',
  seed = 0,
}: { variant?: Variant; kind?: string; seed?: number } = {}) {
  const bench = moduleBench(variant, manualClock(), { kind, seed })
  bench.call('load_carrier_db', 'set_load_carrier', { load_carrier: bin })
  bench.call('gripper_db', 'set_gripper', gripper())
  return {
    ...bench,
    scene: (detection: Partial<SceneSettings>) => {
      bench.scenario.scene = { ...bench.scenario.scene, detection }
    },
    handEye: (robot_mounted: boolean, pose: Pose = identity) =>
      bench.call('hand_eye_calibration', 'set_calibration', { robot_mounted, pose }),
    /** A 3D region in the camera's frame. */
    region: (id: string, position: Pose['position'], side = 0.2) => {
      const box = { x: side, y: side, z: side }
      const region_of_interest = {
        id,
        type: 'BOX',
        box,
        pose: { ...identity, position },
        pose_frame: 'camera',
      }
      bench.call('roi_db', 'set_region_of_interest', { region_of_interest })
    },
  }
}
