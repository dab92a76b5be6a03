/** How suitable the recorded poses are: as data, in words, as a picture, and which pose to record next. */
import { coveragePlot } from '../../lib/plots/calibration'
import type { PlotTheme } from '../../lib/plots/canvas'
import { assess, type Finding, type NextPose, type Pose, type Vector } from '../../lib/robotics'
import { sentencesOf } from '../sentences'
import { type RobotFormat, shapedPose } from '../shared/poses'
import { slotCount } from './device'
import type { DriveSnapshot } from './drive/panel'
import type { Session, Setup } from './session'

const { say } = sentencesOf('hand-eye-calibration')

export interface Coverage {
  /** From 1. */
  poses: number[]

  ready: boolean
  rotationDegrees: number
  translationMillimetres: number
  axes: number
  /** Missing before the first pose, and if nothing improves the set. */
  next?: AdvisedPose

  enough: boolean
  /** Problems first, the most serious leading; last the most useful next step. */
  advice: string[]
  /** Poses by number, from 1. */
  findings: Finding[]
}

/** By subject, for small displays. */
export interface Advice {
  problems: string[]

  few: string[]

  next: string[]
}

interface RecordedPoses {
  /** Flange, by slot. */
  poses: ReadonlyMap<number, Pose>
  unseen: readonly Pose[]
  /** Consecutive poses, up to the latest, without a recognised grid. */
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
    next: options,
  } = assess(
    inOrder.map(([, pose]) => pose),
    { ...(axis && { axis }), grid, rejected, failures },
  )
  const next = options && poses.size < slotCount ? advisedPose(robot, options, numbers) : undefined
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

/** What is wrong, and what to do. @param numbers numbers of the poses, from 1 */
function adviceOn(finding: Finding, numbers: readonly number[]): string {
  switch (finding.kind) {
    case 'too-few-poses':
      return say('advice-too-few-poses', finding)
    case 'few-poses':
      return say('advice-few-poses', finding)
    case 'single-axis':
      return say('advice-single-axis', { axis: nearest(finding.axis) })
    case 'weak-second-axis':
      return say('advice-weak-second-axis', { ...finding, ...rounded(finding), axis: nearest(finding.axis) })
    case 'little-rotation':
      return say('advice-little-rotation', { ...finding, ...rounded(finding) })
    case 'more-than-one-axis':
      return say('advice-more-than-one-axis', { ...rounded(finding), axis: nearest(finding.axis) })
    case 'little-translation':
    case 'much-translation':
      return say(`advice-${finding.kind}`, {
        millimetres: Math.round(1000 * finding.metres),
        advised: 1000 * finding.advised,
      })
    case 'near-duplicates': {
      const [one, other] = finding.poses
      return say('advice-near-duplicates', { one: numbers[one], other: numbers[other] })
    }
  }
}

const adviceNext = ({ from, axis, degrees, shift, poseText }: AdvisedPose): string =>
  say(shift ? 'advice-next-shifted' : 'advice-next', {
    ...{ from, axis, degrees, pose: poseText },
    ...(shift && { along: shift.axis, millimetres: shift.millimetres }),
  })

const rounded = ({ degrees }: { degrees: number }) => ({ degrees: Math.round(10 * degrees) / 10 })

function nearest({ x, y, z }: Vector): string {
  const parts = [x, y, z].map(Math.abs)
  return 'XYZ'[parts.indexOf(Math.max(...parts))] ?? ''
}

export interface AdvisedPose {
  /** Flange, in the robot's own numbers. */
  pose: unknown
  poseText: string
  /** Number of the pose that the movement starts from. */
  from: number
  /** Of the flange; the rotation is about the parallel through the grid. */
  axis: 'X' | 'Y' | 'Z'
  /** Right-handed: positive is clockwise along the axis. */
  degrees: number
  /** After the rotation; only for four axes. */
  shift?: { axis: 'X' | 'Y' | 'Z'; millimetres: number }
  /** Short enough for one line of a panel. */
  text: string
}

/** @param numbers numbers of the poses, from 1 */
function advisedPose(
  robot: RobotFormat,
  { from, axis, degrees, shift, pose }: NextPose,
  numbers: readonly number[],
): AdvisedPose {
  const movement = { from: numbers[from] ?? 0, axis: capital(axis), degrees }
  const shifted = shift && { axis: capital(shift.axis), millimetres: 1000 * shift.metres }
  const text = shifted
    ? say('line-next-shifted', { ...movement, ...{ along: shifted.axis, millimetres: shifted.millimetres } })
    : say('line-next', movement)
  return {
    pose: shapedPose(robot, pose, 'object'),
    poseText: String(shapedPose(robot, pose, 'text')),
    ...movement,
    ...(shifted && { shift: shifted }),
    text,
  }
}

const capital = (axis: 'x' | 'y' | 'z') => axis.toUpperCase() as 'X' | 'Y' | 'Z'

export interface CalibrationSnapshot {
  poses: number
  ready: boolean
  /** Directions, turns and distances, as an SVG file. */
  coverage: string
  /** Not saved yet; standard deviations with their limits. */
  result?: {
    good: boolean
    errors: { millimetres: number | undefined; degrees: number | undefined }
    limits: { millimetres: number; degrees: number }
  }
  drive?: DriveSnapshot
}

export function snapshotOf(
  { poses, unseen, failures, result }: Session,
  setup: Pick<Setup, 'axis' | 'grid'>,
  options: { theme: PlotTheme; language: string | undefined },
): CalibrationSnapshot {
  const recorded = [...poses]
    .sort(([one], [other]) => one - other)
    .map(([slot, pose]) => ({ number: slot + 1, pose }))
  const { theme, language = 'en-US' } = options
  const taken = recorded.map(({ pose }) => pose)
  const rejected = { rejected: unseen, failures }
  return {
    poses: recorded.length,
    ready: assess(taken, requirements(setup)).usable,
    coverage: coveragePlot(
      { recorded, unseen, missing: missingAfter(taken, { ...requirements(setup), ...rejected }) },
      { theme, language },
    ),
    ...(result && { result: { good: result.good, errors: result.errors, limits: result.limits } }),
  }
}

const requirements = ({ axis, grid }: Pick<Setup, 'axis' | 'grid'>) => ({ grid, ...(axis && { axis }) })

function missingAfter(taken: readonly Pose[], options: Parameters<typeof assess>[1]): Pose[] {
  const missing: Pose[] = []
  while (taken.length + missing.length < slotCount) {
    const { next } = assess([...taken, ...missing], options)
    if (!next) break
    missing.push(next.pose)
  }
  return missing
}
