import { inverted, type Vector } from '../../lib/robotics/pose'
import { degrees } from '../../lib/robotics/quaternion'
import type { Environment } from '../module'
import { InvalidArgument, oneOf, within, type PartialArguments } from '../services/invalid-argument'
import { areaOf } from './area'
import type { Detection } from './detections'
import { pointIn } from './frames'
import { depthRange } from './images'
import { measured } from './measured'
import { nearer, planeFrom, planeOf, type Plane } from './planes'
import { sceneSource } from './scene'
import { ServiceFailure } from './service-failure'
import { angleBetween, lengthOf } from './vectors'
import { viewOf } from './view'

/** Largest tilt against the image plane, degrees. */
const mostTilt = 10
/** Our choice: fewest tags that define a plane. */
const enoughTags = 3

/**
 * The base plane as found by a calibration, in the camera's frame.
 * @throws InvalidArgument; ServiceFailure if there is none, or if it is tilted too much
 */
export function findBasePlane(environment: Environment, { args, frames, look }: Detection): Plane {
  const method = oneOf(
    args.plane_estimation_method as string,
    ['STEREO', 'APRILTAG', 'MANUAL'],
    'plane_estimation_method',
  )
  const given =
    method === 'MANUAL' ? planeFrom(inverted(frames.camera(frames.name)), manual(args.plane)) : undefined
  const area = areaOf(args, environment, frames, viewOf(environment))
  look()
  const found = given ?? (method === 'STEREO' ? surface(environment, args) : floorByTags(environment, area))
  const plane = nearer(found, (args.offset ?? 0) as number)
  const tilt = degrees(angleBetween(plane.normal, { x: 0, y: 0, z: 1 }))
  if (tilt <= mostTilt) return plane
  throw new ServiceFailure(
    -104,
    `the base plane is tilted by ${tilt.toFixed(1)} degrees, more than ${mostTilt}`,
  )
}

/** The floor or, if the closest plane is requested, that of the load carrier's rim. */
function surface(environment: Environment, args: Record<string, unknown>): Plane {
  const { plane_preference } = (args.stereo ?? {}) as PartialArguments<{ plane_preference: string }>
  const preference = oneOf(
    plane_preference ? plane_preference : 'FARTHEST',
    ['CLOSEST', 'FARTHEST'],
    'stereo.plane_preference',
  )
  const { floor, bin, settings } = environment.ofPipeline(sceneSource)()
  const top = bin && { ...bin.pose, position: pointIn(bin.pose, { x: 0, y: 0, z: bin.outer.z / 2 }) }
  const plane = planeOf(
    measured(preference === 'CLOSEST' && top ? top : floor, environment.random, settings.noise),
  )
  const [nearest, farthest] = depthRange(environment)
  if (plane.distance >= nearest && plane.distance <= farthest) return plane
  throw new ServiceFailure(-101, 'no plane was found between mindepth and maxdepth')
}
/** The floor, if enough tags lie on it. */
function floorByTags(environment: Environment, area: (point: Vector) => boolean): Plane {
  const { tags, floor, settings } = environment.ofPipeline(sceneSource)()
  const seen = tags.filter(({ kind, inverted, pose }) => kind === 'april' && !inverted && area(pose.position))
  if (seen.length >= enoughTags) return planeOf(measured(floor, environment.random, settings.noise))
  throw new ServiceFailure(
    -101,
    `no plane: ${seen.length} AprilTags are in view, and ${enoughTags} are needed`,
  )
}

/** Our choice: the length of a normal may deviate as much as by rounding. */
function manual(given: unknown): Plane {
  const { normal, distance } = (given ?? {}) as PartialArguments<Plane>
  const full = { x: 0, y: 0, z: 0, ...normal }
  if (distance === undefined) throw new InvalidArgument('plane.distance is missing')
  within(lengthOf(full), [0.99, 1.01], 'the length of plane.normal')
  return { normal: full, distance }
}
