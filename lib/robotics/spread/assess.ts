import type { Pose, Vector } from '../pose'
import { nextPose, type NextPose, type NextPoseOptions } from './next-pose'
import {
  distinctPoses,
  leastTurnDegrees,
  type NearDuplicate,
  nearDuplicates,
  type Spread,
  spreadOf,
} from './spread'

/**
 * A problem of a set of poses. `refuse`: a calibration is impossible; `warn`: it will be less accurate than possible.
 */
export type Finding = { severity: 'refuse' | 'warn' } & (
  | { kind: 'too-few-poses'; poses: number; needed: number }
  | { kind: 'few-poses'; poses: number; advised: number }
  /** The poses rotate only about this axis of the hand. */
  | { kind: 'single-axis'; axis: Vector; degrees: number }
  /** The poses hardly rotate about a second axis. */
  | { kind: 'weak-second-axis'; axis: Vector; degrees: number; advised: number }
  | { kind: 'little-rotation'; degrees: number; advised: number }
  /** The robot is configured to turn about one axis, but the poses rotate about more. */
  | { kind: 'more-than-one-axis'; axis: Vector; degrees: number }
  /** Poses that rotate about one axis must also move across it, metres. */
  | { kind: 'little-translation'; metres: number; advised: number }
  | { kind: 'much-translation'; metres: number; advised: number }
  | ({ kind: 'near-duplicates' } & NearDuplicate)
)

/** The value of a set of poses for a calibration. */
export interface Assessment {
  spread: Spread
  /** Refusals first. */
  findings: Finding[]
  /** Whether no finding refuses a calibration. */
  usable: boolean
  /** Whether there are no findings. */
  good: boolean
  /** The next pose to record; undefined if nothing is missing, or if no step would improve the set. */
  next?: NextPose
}

/** What an assessment must know about the robot and, for the next pose, about grid and attempts. */
export type AssessOptions = NextPoseOptions

/** With fewer poses a calibration is refused. */
export const neededPoses = 4
/** With fewer poses a calibration is less accurate than possible. */
export const advisedPoses = 8
const advisedDegrees = 30
const advisedSecondAxisDegrees = 5
/** Movement across the axis of a robot that turns about only one. */
const advisedMetres = { least: 0.1, most: 1 }
const refusedMetres = 0.02

/**
 * Assesses whether a set of robot poses is sufficient for a calibration, how good it is, and what the next pose should
 * be.
 */
export function assess(poses: readonly Pose[], options: AssessOptions = {}): Assessment {
  const { axis } = options
  const spread = spreadOf(poses)
  const findings = [
    ...ofCount(poses),
    ...(poses.length < 2 ? [] : axis ? ofOneAxis(spread) : ofAnyAxis(spread)),
    ...nearDuplicates(poses).map((pair): Finding => ({ severity: 'warn', kind: 'near-duplicates', ...pair })),
    ...ofReach(spread),
  ].sort((one, other) => rank(one) - rank(other))
  // Two nearly identical poses do not require another one.
  const isEnough = findings.every(({ kind }) => kind === 'near-duplicates' || kind === 'much-translation')
  const next = isEnough ? undefined : nextPose(poses, options)
  return {
    spread,
    findings,
    usable: findings.every(({ severity }) => severity === 'warn'),
    good: findings.length === 0,
    ...(next && { next }),
  }
}

const rank = ({ severity }: Finding) => (severity === 'refuse' ? 0 : 1)

function ofCount(poses: readonly Pose[]): Finding[] {
  const distinct = distinctPoses(poses)
  if (distinct < neededPoses)
    return [{ severity: 'refuse', kind: 'too-few-poses', poses: distinct, needed: neededPoses }]
  if (distinct >= advisedPoses) return []
  return [{ severity: 'warn', kind: 'few-poses', poses: distinct, advised: advisedPoses }]
}

function ofAnyAxis({ axes: [first, second], rotationDegrees, independentAxes }: Spread): Finding[] {
  if (independentAxes === 0 || rotationDegrees < advisedDegrees / 6)
    return [
      { severity: 'refuse', kind: 'little-rotation', degrees: rotationDegrees, advised: advisedDegrees },
    ]
  if (independentAxes === 1) return [{ severity: 'refuse', kind: 'single-axis', ...first }]
  const found: Finding[] = []
  if (second.degrees < advisedSecondAxisDegrees)
    found.push({ severity: 'warn', kind: 'weak-second-axis', ...second, advised: advisedSecondAxisDegrees })
  if (rotationDegrees < advisedDegrees)
    found.push({
      severity: 'warn',
      kind: 'little-rotation',
      degrees: rotationDegrees,
      advised: advisedDegrees,
    })
  return found
}

function ofOneAxis({ axes: [first, second], rotationDegrees, translation }: Spread): Finding[] {
  const found: Finding[] = []
  if (second.degrees >= leastTurnDegrees)
    found.push({ severity: 'refuse', kind: 'more-than-one-axis', ...second })
  if (rotationDegrees < advisedDegrees)
    found.push({
      severity: first.degrees < leastTurnDegrees ? 'refuse' : 'warn',
      kind: 'little-rotation',
      degrees: rotationDegrees,
      advised: advisedDegrees,
    })
  if (translation < advisedMetres.least)
    found.push({
      severity: translation < refusedMetres ? 'refuse' : 'warn',
      kind: 'little-translation',
      metres: translation,
      advised: advisedMetres.least,
    })
  return found
}

const ofReach = ({ translation }: Spread): Finding[] =>
  translation > advisedMetres.most
    ? [{ severity: 'warn', kind: 'much-translation', metres: translation, advised: advisedMetres.most }]
    : []
