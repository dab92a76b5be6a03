import { inverted, type Vector } from '../../lib/robotics/pose'
import { degrees } from '../../lib/robotics/quaternion'
import { returnCodeShape, type Environment, type Json, type ServiceDefinition } from '../module'
import { InvalidArgument, oneOf, within, type Given } from '../modules/invalid-argument'
import { timestampShape } from '../modules/timestamp'
import { answering } from './answering'
import { areaOf } from './area'
import type { detections, Detection } from './detections'
import { Frames, handEyeOf, pointIn, type FrameName, type HandEye } from './frames'
import { depthRange } from './images'
import { measured } from './measured'
import { nearer, planeFrom, planeOf, planeShape, type Plane } from './planes'
import { sceneSource } from './scene'
import { ServiceFailure } from './service-failure'
import { frameShape } from './shapes'
import { angleBetween, lengthOf } from './vectors'
import { viewOf } from './view'

/** The plane on which the objects lie, in the frame in which it was calibrated. */
type BasePlane = { plane: Plane; pose_frame: FrameName; handEye: Json }

/** Largest tilt against the image plane, degrees. */
const mostTilt = 10
/** Our choice: so many tags make a plane. */
const enoughTags = 3

/** The base plane of a module, with the services that calibrate, get and delete it. */
export function basePlane(environment: Environment, { service }: ReturnType<typeof detections>) {
  const { random, changed } = environment
  const scene = environment.ofPipeline(sceneSource)
  let stored: BasePlane | undefined

  const calibrate = ({ args, frames, look }: Detection) => {
    const offset = (args.offset ?? 0) as number
    const method = oneOf(
      args.plane_estimation_method as string,
      ['STEREO', 'APRILTAG', 'MANUAL'],
      'plane_estimation_method',
    )
    const given =
      method === 'MANUAL' ? planeFrom(inverted(frames.camera(frames.name)), manual(args.plane)) : undefined
    const area = areaOf(args, environment, frames, viewOf(environment))
    look()
    const found = given ?? (method === 'STEREO' ? surface(args) : floorByTags(area))
    const plane = nearer(found, offset)
    const tilt = degrees(angleBetween(plane.normal, { x: 0, y: 0, z: 1 }))
    if (tilt > mostTilt)
      throw new ServiceFailure(
        -104,
        `the base plane is tilted by ${tilt.toFixed(1)} degrees, more than ${mostTilt}`,
      )
    const inFrame = planeFrom(frames.camera(frames.name), plane)
    stored = { plane: inFrame, pose_frame: frames.name, handEye: asJson(frames.handEye) }
    changed()
    return { plane: { ...inFrame, pose_frame: frames.name } }
  }

  /** The floor or, where the closest plane is wanted, that of the load carrier's rim. */
  const surface = (args: Record<string, unknown>): Plane => {
    const { plane_preference } = (args.stereo ?? {}) as Given<{ plane_preference: string }>
    const preference = oneOf(
      plane_preference ? plane_preference : 'FARTHEST',
      ['CLOSEST', 'FARTHEST'],
      'stereo.plane_preference',
    )
    const { floor, bin, settings } = scene()
    const top = bin && { ...bin.pose, position: pointIn(bin.pose, { x: 0, y: 0, z: bin.outer.z / 2 }) }
    const plane = planeOf(measured(preference === 'CLOSEST' && top ? top : floor, random, settings.noise))
    const [nearest, farthest] = depthRange(environment)
    if (plane.distance >= nearest && plane.distance <= farthest) return plane
    throw new ServiceFailure(-101, 'no plane was found between mindepth and maxdepth')
  }
  const floorByTags = (area: (point: Vector) => boolean): Plane => {
    const { tags, floor, settings } = scene()
    const seen = tags.filter(
      ({ kind, inverted, pose }) => kind === 'april' && !inverted && area(pose.position),
    )
    if (seen.length >= enoughTags) return planeOf(measured(floor, random, settings.noise))
    throw new ServiceFailure(
      -101,
      `no plane: ${seen.length} AprilTags are in view, and ${enoughTags} are needed`,
    )
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
    /** Whether a detection can lean on it; throws a ServiceFailure where it cannot. */
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
    /** What is not there stays as it is. */
    restore: (saved: Json | undefined): void => {
      if (saved !== undefined) stored = (saved ?? undefined) as BasePlane | undefined
    },
  }
}

const asJson = (handEye: HandEye | undefined): Json =>
  handEye ? { pose: handEye.pose, robot_mounted: handEye.robot_mounted } : null

/** Our choice: a normal may be as far from length one as a rounded one is. */
function manual(given: unknown): Plane {
  const { normal, distance } = (given ?? {}) as Given<Plane>
  const full = { x: 0, y: 0, z: 0, ...normal }
  if (distance === undefined) throw new InvalidArgument('plane.distance is missing')
  within(lengthOf(full), [0.99, 1.01], 'the length of plane.normal')
  return { normal: full, distance }
}
