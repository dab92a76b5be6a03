import {
  composed,
  conjugated,
  degrees,
  distance,
  angleOf,
  identity,
  inverted,
  ofRotationVector,
  product,
  radians,
  type Pose,
  type Quaternion,
} from '../../robotics'
import { stepsTo } from '../../robotics/plan/usable'
import type { AnswerLimits, AnswerSettings } from './settings'

/** A pose at which the device was asked whether it sees the grid. */
export interface AnsweredLook {
  /** `again` is back to where the grid was seen, to see whether it is still there. */
  purpose: 'taught' | 'turn' | 'again'
  /** The hand as the robot reports it. Metres. */
  robot: Pose
  seen: boolean
  skipped?: true
}

/** The device's own calibration. Metres and degrees. */
export interface DeviceVerdict {
  /** On the hand if it is mounted there, otherwise in the robot's base. */
  camera: Pose
  /** Standard deviations as the device states them; undefined if it states none, which is never good enough. */
  accuracy: { metres: number; degrees: number } | undefined
}

/** How far it has come. */
export interface AnswerProgress {
  /** Looks at which the grid was seen. */
  seen: number
  verdict: DeviceVerdict | undefined
}

/** Move the robot there and ask. */
export interface AnswerGo extends AnswerProgress {
  kind: 'go'
  purpose: 'turn' | 'again'
  pose: Pose
  via: Pose[]
}

/** The device judged its own calibration as accurate as wanted. */
export interface Judged extends AnswerProgress {
  kind: 'judged'
  verdict: DeviceVerdict
}

/** It cannot go on, and why. */
export interface AnswerStuck extends AnswerProgress {
  kind: 'stuck'
  reason: 'grid-not-seen-at-start' | 'grid-lost' | 'limits' | 'accuracy'
}

/** The share of the full tilt and roll at first, how it grows with each pose at which the grid is seen, and the least. */
const turns = { first: 0.3, growth: 1.5, least: 0.1 } as const
const azimuthStep = 137.5

/**
 * The next pose when the device only says yes or no. Turns are small at first and about where the grid should be; with each
 * yes they grow, with each no they halve. The same looks and verdict give the same answer.
 */
export function nextByAnswers(
  {
    limits = {},
    wanted = { metres: 0.001, degrees: 0.1 },
    fewest = 6,
    most = 16,
    ...settings
  }: AnswerSettings,
  looks: readonly AnsweredLook[],
  verdict: DeviceVerdict | undefined,
): AnswerGo | Judged | AnswerStuck {
  const [taught] = looks
  const visited = looks.filter(({ skipped }) => !skipped)
  const poses = looks.filter(({ purpose, seen }) => purpose !== 'again' && seen).length
  const progress: AnswerProgress = { seen: poses, verdict }
  if (!taught?.seen) return { kind: 'stuck', reason: 'grid-not-seen-at-start', ...progress }
  const { accuracy } = verdict ?? {}
  const isGood = accuracy && accuracy.metres <= wanted.metres && accuracy.degrees <= wanted.degrees
  if (verdict && isGood && poses >= fewest) return { kind: 'judged', ...progress, verdict }
  const [last, before] = [visited.at(-1), visited.at(-2)]
  const anchor = visited.findLast(({ seen }) => seen) ?? taught
  if (last && !last.seen) {
    if (last.purpose === 'again') return { kind: 'stuck', reason: 'grid-lost', ...progress }
    if (before && !before.seen)
      return { kind: 'go', purpose: 'again', pose: anchor.robot, via: [], ...progress }
  }
  if (poses >= most || looks.length >= 3 * most) return { kind: 'stuck', reason: 'accuracy', ...progress }
  const bounds = { tilt: 30, roll: 45, step: { metres: 0.3, degrees: 40 }, ...limits }
  const [count, size] = reached(looks)
  // Beyond a limit: the same turn smaller, then the next one.
  for (let index = count; index < count + 8; index++)
    for (const share of [size, size / 2]) {
      if (share < turns.least) continue
      const pose = turnedPose(settings, bounds, taught.robot, verdict, index, share)
      const back = last === anchor || !last ? [] : stepsTo(last.robot, anchor.robot, bounds.step)
      const way = stepsTo(anchor.robot, pose, bounds.step)
      if (!way.every((hand) => isWithin(settings, bounds, hand, verdict))) continue
      if (looks.some(({ robot, purpose }) => purpose === 'turn' && isSame(robot, pose))) continue
      return { kind: 'go', purpose: 'turn', pose, via: [...back, ...way.slice(0, -1)], ...progress }
    }
  return { kind: 'stuck', reason: 'limits', ...progress }
}

/** Which turn comes next, and how large it may be, by the answers so far. */
function reached(looks: readonly AnsweredLook[]): [index: number, share: number] {
  let [index, share] = [0, turns.first as number]
  for (const { purpose, seen } of looks) {
    if (purpose !== 'turn') continue
    share = seen ? Math.min(1, share * turns.growth) : Math.max(turns.least, share / 2)
    index += 1
  }
  return [index, share]
}

/** Turned about where the grid is by the device's verdict; before that, straight ahead of the hand. */
function turnedPose(
  { robotMounted, distance: metres }: Pick<AnswerSettings, 'robotMounted' | 'distance'>,
  { tilt, roll }: AnswerLimits,
  taught: Pose,
  verdict: DeviceVerdict | undefined,
  index: number,
  share: number,
): Pose {
  const sight = sightInHand(robotMounted, taught, verdict)
  const ahead = composed(sight, { ...identity(), position: { x: 0, y: 0, z: metres } })
  // The grid of a fixed camera is on the hand.
  const centre: Pose = {
    position: robotMounted ? ahead.position : identity().position,
    orientation: sight.orientation,
  }
  const change = turn(share * tilt, index * azimuthStep, (index % 2 ? -1 : 1) * share * roll)
  return composed(
    taught,
    composed(centre, composed({ ...identity(), orientation: change }, inverted(centre))),
  )
}

/** The camera in the frame of the hand. */
function sightInHand(robotMounted: boolean, taught: Pose, verdict: DeviceVerdict | undefined): Pose {
  if (!verdict) return identity()
  return robotMounted ? verdict.camera : composed(inverted(taught), verdict.camera)
}

/** A tilt about an axis across the line of sight, then a roll about it. Degrees. */
function turn(tilt: number, azimuth: number, roll: number): Quaternion {
  const [direction, angle] = [radians(azimuth), radians(tilt)]
  const tilting = { x: angle * Math.cos(direction), y: angle * Math.sin(direction), z: 0 }
  return product(ofRotationVector({ x: 0, y: 0, z: radians(roll) }), ofRotationVector(tilting))
}

function isWithin(
  { robotMounted }: Pick<AnswerSettings, 'robotMounted'>,
  { box, floor, reach }: AnswerLimits,
  hand: Pose,
  verdict: DeviceVerdict | undefined,
): boolean {
  const { x, y, z } = hand.position
  if (reach !== undefined && Math.hypot(x, y, z) > reach) return false
  const carried = verdict && robotMounted ? [composed(hand, verdict.camera).position] : []
  return [hand.position, ...carried].every(
    (point) =>
      (floor === undefined || point.z >= floor) &&
      (!box ||
        (['x', 'y', 'z'] as const).every(
          (axis) => point[axis] >= box.least[axis] && point[axis] <= box.most[axis],
        )),
  )
}

/** Poses closer together than this are the same to a camera. */
const isSame = (one: Pose, other: Pose) =>
  distance(one.position, other.position) < 0.01 &&
  degrees(angleOf(product(conjugated(one.orientation), other.orientation))) < 3
