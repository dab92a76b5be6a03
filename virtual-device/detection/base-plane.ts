import { inverted } from '../../lib/robotics/pose'
import { returnCodeShape, type Environment, type Json, type ServiceDefinition } from '../module'
import { timestampShape } from '../services/timestamp'
import { answering } from './answering'
import type { detections, Detection } from './detections'
import { findBasePlane } from './find-base-plane'
import { Frames, handEyeOf, type FrameName, type HandEye } from './frames'
import { planeFrom, planeShape, type Plane } from './planes'
import { ServiceFailure } from './service-failure'
import { frameShape } from './shapes'

/** The plane on which the objects lie, in the frame in which it was calibrated. */
type BasePlane = { plane: Plane; pose_frame: FrameName; handEye: Json }

/** The base plane of a module, with the services that calibrate, get and delete it. */
export function basePlane(environment: Environment, { service }: ReturnType<typeof detections>) {
  const { changed } = environment
  let stored: BasePlane | undefined

  const calibrate = (detection: Detection) => {
    const { frames } = detection
    const plane = findBasePlane(environment, detection)
    const inFrame = planeFrom(frames.camera(frames.name), plane)
    stored = { plane: inFrame, pose_frame: frames.name, handEye: asJson(frames.handEye) }
    changed()
    return { plane: { ...inFrame, pose_frame: frames.name } }
  }

  const services: Record<string, ServiceDefinition> = {
    calibrate_base_plane: service({
      description: 'Calibrates the plane on which the objects lie, and stores it.',
      args: {
        ...frameShape,
        offset: 'float64',
        plane: { normal: planeShape.normal, distance: planeShape.distance },
        plane_estimation_method: 'string',
        region_of_interest_2d_id: 'string',
        stereo: { plane_preference: 'string' },
      },
      required: ['pose_frame', 'plane_estimation_method'],
      response: { plane: planeShape, timestamp: timestampShape, ...returnCodeShape },
      detect: calibrate,
    }),
    get_base_plane_calibration: answering({
      description: 'Returns the base plane.',
      args: frameShape,
      required: ['pose_frame'],
      response: { plane: planeShape, ...returnCodeShape },
      answer: ({ args }, remark) => {
        const frames = new Frames(args, handEyeOf(environment))
        if (!stored) throw new ServiceFailure(-8, 'no base plane is calibrated')
        const { plane, pose_frame } = stored
        const shown =
          pose_frame === frames.name
            ? plane
            : planeFrom(frames.camera(frames.name), planeFrom(inverted(frames.camera(pose_frame)), plane))
        if (frames.robotPoseIsSuperfluous) remark(300, 'robot_pose was given, but is not needed')
        return { plane: { ...shown, pose_frame: frames.name } }
      },
    }),
    delete_base_plane_calibration: answering({
      description: 'Deletes the base plane.',
      args: {},
      response: returnCodeShape,
      answer: () => {
        stored = undefined
        changed()
        return undefined
      },
    }),
  }

  return {
    services,
    /** Throws a ServiceFailure if a detection cannot use it. */
    assertUsable: ({ frames, remark }: Pick<Detection, 'frames' | 'remark'>) => {
      if (!stored)
        throw new ServiceFailure(-8, 'no base plane is calibrated, and object_plane_detection is not set')
      if (stored.pose_frame === 'camera') return
      if (JSON.stringify(stored.handEye) !== JSON.stringify(asJson(handEyeOf(environment))))
        throw new ServiceFailure(-102, 'the hand-eye calibration changed since the base plane was calibrated')
      if (frames.reachesExternal) frames.camera('external')
      else remark(107, 'the base plane is not moved to the present pose: robot_pose is missing')
    },
    save: (): Json => stored ?? null,
    /** Missing values stay as they are. */
    restore: (saved: Json | undefined): void => {
      if (saved !== undefined) stored = (saved ?? undefined) as BasePlane | undefined
    },
  }
}

const asJson = (handEye: HandEye | undefined): Json =>
  handEye ? { pose: handEye.pose, robot_mounted: handEye.robot_mounted } : null
