import { assess, type Finding, type Pose } from '../../lib/robotics'
import { adviceNext, adviceOn } from './advice'
import { advisedPose, type AdvisedPose } from './advised-pose'
import { slotCount } from './hand-eye-device'
import type { Setup } from './setup'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('hand-eye-calibration')

/** How suitable the recorded poses are, as sent to the flow. */
export interface Coverage {
  /** Numbers of the recorded poses, from 1. */
  poses: number[]
  /** Whether a calibration is possible with them. */
  ready: boolean
  rotationDegrees: number
  translationMillimetres: number
  /** Number of axes about which the flange rotates. */
  axes: number
  /** The pose to record next; missing before the first one, and if nothing would improve the set. */
  next?: AdvisedPose
  /** No further pose is needed: calibrate. */
  enough: boolean
  /** Advice in words: problems first, the most serious one leading, and last the most useful next step. */
  advice: string[]
  /** The same as data; poses by number, from 1. */
  findings: Finding[]
}

/** The advice by subject, for displays with little room. */
export interface Advice {
  /** Problems of the poses, the most serious first. */
  problems: string[]
  /** That there are only a few. */
  few: string[]
  /** Which pose to record next, or that there are enough. */
  next: string[]
}

/** What has been recorded so far. */
interface RecordedPoses {
  /** Poses of the flange, by slot. */
  poses: ReadonlyMap<number, Pose>
  /** Poses at which the grid was not recognised. */
  unseen: readonly Pose[]
  /** Number of consecutive poses up to the latest at which it was not. */
  failures: number
}

export function coverageOf(
  { robot, axis, grid }: Setup,
  { poses, unseen: rejected, failures }: RecordedPoses,
): [Coverage, Advice] {
  const inOrder = [...poses].sort(([one], [other]) => one - other)
  const numbers = inOrder.map(([slot]) => slot + 1)
  const {
    spread,
    findings,
    usable,
    next: wanted,
  } = assess(
    inOrder.map(([, pose]) => pose),
    { ...(axis && { axis }), grid, rejected, failures },
  )
  const next = wanted && poses.size < slotCount ? advisedPose(robot, wanted, numbers) : undefined
  const enough = usable && !next
  const inWords = (some: readonly Finding[]) => some.map((finding) => adviceOn(finding, numbers))
  // Two poses always rotate about a single axis.
  const worthSaying = findings.filter(({ kind }) => kind !== 'single-axis' || numbers.length > 2)
  const advice: Advice = {
    problems: inWords(worthSaying.filter(({ kind }) => !isCount(kind))),
    few: inWords(worthSaying.filter(({ kind }) => isCount(kind))),
    next: next ? [adviceNext(next)] : enough ? [say('advice-enough')] : [],
  }
  const coverage: Coverage = {
    poses: numbers,
    ready: usable,
    rotationDegrees: Math.round(10 * spread.rotationDegrees) / 10,
    translationMillimetres: Math.round(1000 * spread.translation),
    axes: spread.independentAxes,
    ...(next && { next }),
    enough,
    advice: [...advice.problems, ...advice.few, ...advice.next],
    findings: findings.map((finding) => numbered(finding, numbers)),
  }
  return [coverage, advice]
}

const isCount = (kind: Finding['kind']) => kind === 'too-few-poses' || kind === 'few-poses'

const numbered = (finding: Finding, numbers: readonly number[]): Finding =>
  finding.kind === 'near-duplicates'
    ? {
        ...finding,
        poses: [numbers[finding.poses[0]] ?? 0, numbers[finding.poses[1]] ?? 0],
      }
    : finding
