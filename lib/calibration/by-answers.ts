/** A calibration with a device that only reports whether it detects the grid, and judges its own result. */
import {
  angleOf,
  composed,
  conjugated,
  degrees,
  distance,
  identity,
  inverted,
  ofRotationVector,
  type Pose,
  product,
  type Quaternion,
  radians,
  type Vector,
} from '../robotics'
import { stepsTo } from '../robotics/plan/usable'
import { type Confirmation, type Journal, type Mover, type ProcedureRun, startProcedure } from './procedure'

/** Bounds of poses chosen without the grid's position. Metres and degrees; positions in the base. */
export interface AnswerLimits {
  /** Largest tilt from the taught pose. @default 30 */
  tilt: number
  /** Largest rotation about the line of sight. @default 45 */
  roll: number
  /** For the hand and for a camera on it, once the device has reported where that is. @default none */
  box?: { least: Vector; most: Vector }
  /** Lowest height of the same points. @default none */
  floor?: number
  /** Greatest distance of the hand from the robot's base. @default none */
  reach?: number
  /** Largest step: a longer path is split. @default 0.3 m and 40° */
  step: { metres: number; degrees: number }
}

/** Input of {@link startCalibrationByAnswers}. */
export interface AnswerSettings {
  /** True: the camera is on the robot's hand. False: it is fixed, and the grid is on the hand. */
  robotMounted: boolean
  /** From the camera to the grid at the taught pose, measured by hand, metres. */
  distance: number
  limits?: Partial<AnswerLimits>
  /** Required standard deviations, as the device reports them. @default 1 mm and 0.1° */
  wanted?: { metres: number; degrees: number }
  /** Fewest poses with the grid before the device's judgement counts. @default 6 */
  fewest?: number
  /** Most poses with the grid: the slots of the device. @default 16 */
  most?: number
}

/** A pose with the device's answer. */
export interface AnsweredLook {
  /** `again` is back to where the grid was detected, to check that it is still there. */
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
  /** Standard deviations reported by the device; undefined if it reports none, which is never good enough. */
  accuracy: { metres: number; degrees: number } | undefined
}

/** Progress of a calibration by yes and no. */
export interface AnswerProgress {
  seen: number
  verdict: DeviceVerdict | undefined
}

/** Move the robot there and ask the device. */
export interface AnswerGo extends AnswerProgress {
  kind: 'go'
  purpose: 'turn' | 'again'
  pose: Pose
  via: Pose[]
}

/** The device reports the required accuracy. */
export interface Judged extends AnswerProgress {
  kind: 'judged'
  verdict: DeviceVerdict
}

/** The calibration cannot continue. */
export interface AnswerStuck extends AnswerProgress {
  kind: 'stuck'
  reason: 'grid-not-seen-at-start' | 'grid-lost' | 'limits' | 'accuracy'
}

/** Initial share of the full tilt and roll, its growth with each success, and the smallest share. */
const turns = { first: 0.3, growth: 1.5, least: 0.1 } as const

const azimuthStep = 137.5

/**
 * The next pose when the device only answers yes or no. Turns are small at first and about where the grid should be;
 * they grow with each yes and halve with each no. Depends only on the answers and the verdict.
 */
function nextByAnswers(
  {
    limits = {},
    wanted = { metres: 0.001, degrees: 0.1 },
    fewest = 6,
    most = 16,
    ...settings
  }: AnswerSettings,
  answers: readonly AnsweredLook[],
  verdict: DeviceVerdict | undefined,
): AnswerGo | Judged | AnswerStuck {
  const [taught] = answers
  const visited = answers.filter(({ skipped }) => !skipped)
  const poses = answers.filter(({ purpose, seen }) => purpose !== 'again' && seen).length
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
  if (poses >= most || answers.length >= 3 * most) return { kind: 'stuck', reason: 'accuracy', ...progress }
  const bounds = { tilt: 30, roll: 45, step: { metres: 0.3, degrees: 40 }, ...limits }
  const [count, size] = reached(answers)
  // Beyond a limit: the same turn smaller, then the next one.
  for (let index = count; index < count + 8; index++)
    for (const share of [size, size / 2]) {
      if (share < turns.least) continue
      const pose = turnedPose(settings, bounds, taught.robot, verdict, index, share)
      const back = last === anchor || !last ? [] : stepsTo(last.robot, anchor.robot, bounds.step)
      const path = stepsTo(anchor.robot, pose, bounds.step)
      if (!path.every((hand) => isWithin(settings, bounds, hand, verdict))) continue
      if (answers.some(({ robot, purpose }) => purpose === 'turn' && isSame(robot, pose))) continue
      return { kind: 'go', purpose: 'turn', pose, via: [...back, ...path.slice(0, -1)], ...progress }
    }
  return { kind: 'stuck', reason: 'limits', ...progress }
}

/** The next turn and its size, by the answers so far. */
function reached(answers: readonly AnsweredLook[]): [index: number, share: number] {
  let [index, share] = [0, turns.first as number]
  for (const { purpose, seen } of answers) {
    if (purpose !== 'turn') continue
    share = seen ? Math.min(1, share * turns.growth) : Math.max(turns.least, share / 2)
    index += 1
  }
  return [index, share]
}

/** Turned about the grid's position by the device's verdict; before that, straight ahead of the hand. */
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

/** Closer poses are the same to a camera. */
const isSame = (one: Pose, other: Pose) =>
  distance(one.position, other.position) < 0.01 &&
  degrees(angleOf(product(conjugated(one.orientation), other.orientation))) < 3

/** A device that reports whether it detects the grid, not where, and calibrates itself. */
export interface AnsweringDevice {
  /** Records the pose of the hand in a slot, from 0. @returns whether the device recognised the grid */
  record: (slot: number, hand: Pose, signal: AbortSignal) => Promise<boolean>
  /** Calibrates from the recorded poses. @returns undefined if the device cannot yet */
  calibrate: (signal: AbortSignal) => Promise<DeviceVerdict | undefined>
}

/** What a calibration by yes and no works with. */
export interface AnswerParts {
  settings: AnswerSettings
  mover: Mover
  device: AnsweringDevice
  journal: Journal<AnsweredLook>
  /** Called before each movement; nothing moves until it returns `go`. */
  confirm: (move: AnswerGo, signal: AbortSignal) => Promise<Confirmation>
  /** Called after each answer, and before each movement. */
  onProgress?: (next: AnswerGo | Judged | AnswerStuck, answers: readonly AnsweredLook[]) => void
}

const fewestPoses = 4 // poses with the grid that a device needs

/**
 * Calibrates where neither the grid nor a tag can be located in our own pictures: the device answers yes or no to each
 * pose, and judges its own calibration. Compared with a planned calibration there are no 95 % bounds, outliers, checks
 * of mounting and grid size, or views chosen by their gain, and a pose may miss the grid. Poses that a device has lost
 * in a restart are not recorded again.
 */
export const startCalibrationByAnswers = ({
  settings,
  mover,
  device,
  journal,
  confirm,
  onProgress,
}: AnswerParts): ProcedureRun<Judged | AnswerStuck> =>
  startProcedure<AnsweredLook, AnswerGo, Judged | AnswerStuck>({
    mover,
    journal,
    confirm,
    onProgress,
    next: async (answers, signal) => {
      const canJudge = recorded(answers) >= fewestPoses
      return nextByAnswers(settings, answers, canJudge ? await device.calibrate(signal) : undefined)
    },
    record: async (robot, move, answers, signal) => {
      const purpose = move?.purpose ?? 'taught'
      // A repetition at the same pose uses no slot of its own.
      const slot = purpose === 'again' ? Math.max(0, recorded(answers) - 1) : recorded(answers)
      return { purpose, robot, seen: await device.record(slot, robot, signal) }
    },
    leftOut: ({ purpose, pose }) => ({ purpose, robot: pose, seen: false, skipped: true }),
  })

const recorded = (answers: readonly AnsweredLook[]) =>
  answers.filter(({ purpose, seen }) => purpose !== 'again' && seen).length
