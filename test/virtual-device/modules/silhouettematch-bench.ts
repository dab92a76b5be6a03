import { type Pose, type Vector, ofRotationVector } from '../../../lib/robotics/pose'
import { sceneBench, type Placed } from '../detection/scene-bench'

export interface Grasp extends Placed {
  id: string
  instance_uuid: string
  gripper_id: string
  priority: number
  collision_checked: boolean
}
interface Instance extends Placed {
  id: string
  object_id: string
  grasp_uuids: string[]
}
export interface Plane {
  normal: Vector
  distance: number
  pose_frame: string
}
type Bench = ReturnType<typeof sceneBench>

export const node = 'silhouettematch'
export const detect = (bench: Bench, args: object = {}) => {
  const { return_code, grasps, instances, load_carriers, object_id } = bench.call(node, 'detect_object', {
    pose_frame: 'camera',
    object_to_detect: { object_id: 'part' },
    object_plane_detection: true,
    ...args,
  })
  const { value: code, message } = return_code
  return {
    code,
    message,
    grasps: grasps as Grasp[],
    instances: instances as Instance[],
    load_carriers,
    object_id,
  }
}
export const calibrate = (bench: Bench, args: object = {}) => {
  const { return_code, plane } = bench.call(node, 'calibrate_base_plane', {
    pose_frame: 'camera',
    plane_estimation_method: 'STEREO',
    ...args,
  })
  return { code: return_code.value, plane: plane as Plane }
}
export const withTemplate = (options: Parameters<typeof sceneBench>[0] = {}) => {
  const bench = sceneBench(options)
  bench.store(node, 'part', 'other')
  return bench
}
export const grasp = (id: string, more: object = {}) => ({
  id,
  template_id: 'part',
  pose: top,
  priority: 0,
  ...more,
})
/** Into the object, from above. */
export const top: Pose = {
  position: { x: 0, y: 0, z: 0 },
  orientation: ofRotationVector({ x: Math.PI, y: 0, z: 0 }),
}
export const setGrasp = (bench: Bench, given: object) => bench.code(node, 'set_grasp', { grasp: given })
