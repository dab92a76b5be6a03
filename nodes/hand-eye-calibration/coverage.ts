import { assess, type Axis, type Finding, type Pose } from '../../lib/robotics'
import { adviceNext, adviceOn } from './advice'

/** How well the recorded poses will do, as the flow gets it. */
export interface Coverage {
  /** Numbers of the recorded poses, from 1. */
  poses: number[]
  /** A calibration can work with them. */
  ready: boolean
  rotationDegrees: number
  translationMillimetres: number
  /** About how many axes the flange turns. */
  axes: number
  /** In words: what is wrong, the gravest first, and last what would help most. */
  advice: string[]
  /** The same as data; poses by their numbers, from 1. */
  findings: Finding[]
}

/** @param poses by slot */
export function coverageOf(poses: ReadonlyMap<number, Pose>, axis: Axis | undefined): Coverage {
  const inOrder = [...poses].sort(([one], [other]) => one - other)
  const numbers = inOrder.map(([slot]) => slot + 1)
  const { spread, findings, usable, good, next } = assess(
    inOrder.map(([, pose]) => pose),
    axis && { axis },
  )
  return {
    poses: numbers,
    ready: usable,
    rotationDegrees: Math.round(10 * spread.rotationDegrees) / 10,
    translationMillimetres: Math.round(1000 * spread.translation),
    axes: spread.independentAxes,
    advice: [
      ...worthSaying(findings, numbers.length).map((finding) => adviceOn(finding, numbers)),
      ...(next && !good ? [adviceNext(next, numbers)] : []),
    ],
    findings: findings.map((finding) => numbered(finding, numbers)),
  }
}

/** Of how few there are it is said last, and of two poses not that they turn about one axis: they cannot else. */
function worthSaying(findings: readonly Finding[], poses: number): Finding[] {
  const counts = findings.filter(({ kind }) => isCount(kind))
  const others = findings.filter(({ kind }) => !isCount(kind) && (kind !== 'single-axis' || poses > 2))
  return [...others, ...counts]
}

const isCount = (kind: Finding['kind']) => kind === 'too-few-poses' || kind === 'few-poses'

const numbered = (finding: Finding, numbers: readonly number[]): Finding =>
  finding.kind === 'near-duplicates'
    ? {
        ...finding,
        poses: [numbers[finding.poses[0]] ?? 0, numbers[finding.poses[1]] ?? 0],
      }
    : finding
