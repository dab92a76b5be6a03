import type { HandEyeResult } from '../hand-eye/solve'
import type { Unknowns } from '../hand-eye/station'
import { gridSizeMistake, type Outlier, type SetMistake, setMistake } from '../outliers/mistakes'
import { composed, inverted, type Pose } from '../pose'
import {
  type Attempt,
  isSighting,
  type PlannerSettings,
  planSettings,
  type PlanSettings,
  type Purpose,
  type Sighting,
  otherViews,
  plannedView,
  slackOf,
  type View,
} from './views'
import { fromShifts, nextShifts, nextTurns, roughUnknowns } from './starts'
import { type Evidence, evidenceOf, expectation, type LimitName, usable, type Usable, pathTo } from './usable'

/** State of a plan. */
export interface PlanProgress {
  /** Visited poses of the plan, and those at which the grid was detected. */
  views: number
  seen: number
  result?: HandEyeResult
  /** Poses that do not fit the others, by index of the attempt. */
  outliers: Outlier[]
}

/** Move the robot there and take a picture. */
export interface Go extends PlanProgress {
  kind: 'go'
  purpose: Purpose
  /** Of the hand, in the robot's base. Metres. */
  pose: Pose
  /** Intermediate poses, in steps within the limits; after a failure they start with the way back. */
  via: Pose[]
  /** For a pose of the plan: how the camera will see the grid, and its pose in the camera's frame. */
  view?: View
  seenAs?: Pose
  /** Expected accuracy afterwards, relative to the required one: 1 is enough. */
  expected?: number
}

/** The required accuracy is reached. */
export interface Done extends PlanProgress {
  kind: 'done'
  result: HandEyeResult
}

/** The plan cannot continue, and why. */
export type Stuck = PlanProgress & { kind: 'stuck' } & (
    | { reason: 'grid-not-seen-at-start' }
    /** It is no longer detected where it was before. */
    | { reason: 'grid-lost' }
    /** No small move from the taught pose kept the grid in view, or the limits permit none. */
    | { reason: 'first-moves'; limit?: LimitName }
    /** The picture does not move as the robot does: by this factor. */
    | { reason: 'movement'; ratio: number }
    | { reason: 'mounting'; found: 'robot' | 'fixed' }
    /** The observations contradict each other; with the mistake, if one explains it. */
    | { reason: 'contradiction'; mistake?: SetMistake }
    /** No remaining pose would improve the result: number of poses by reason. */
    | { reason: 'nothing-left'; excluded: Readonly<Partial<Record<Exclusion, number>>> }
    /** All poses are used; the accuracy relative to the required one, and the main source of error. */
    | { reason: 'accuracy'; reached: number; mostly: 'robot' | 'camera' }
  )

/** Why a view cannot be used. */
export type Exclusion = LimitName | 'picture' | 'failed' | 'tried' | 'too-near' | 'no-gain'

/** What to do next. */
export type Next = Go | Done | Stuck

/** Plans the poses of a calibration. */
export interface Planner {
  /**
   * The next step. Depends only on the attempts, so a plan can be resumed from a journal. @param attempts in order; the
   * first is at the taught pose @throws RangeError if it is missing
   */
  next: (attempts: readonly Attempt[]) => Next
}

/** Observations that contradict each other by more are not noise: metres and degrees. */
const contradiction = { metres: 0.008, degrees: 1.5 }

/** Results of fewer poses of the plan are not trusted, however small their bounds. */
const fewestViews = 3

const leastGain = 0.005 // relative improvement of the expected accuracy that a pose must bring

/**
 * Plans a calibration from one pose at which the camera detects the grid. Small safe moves show where camera and grid
 * are; then the camera views the grid from planned sides or, if one cannot be used, from the side that improves the
 * result most; until the result is accurate enough, or an obstacle ends the plan.
 * @throws RangeError with a sentence for an unsupported setting
 */
export function createPlanner(given: PlannerSettings): Planner {
  const settings = planSettings(given)
  return {
    next: (attempts) => {
      const [taught] = attempts
      if (!taught) throw new RangeError('The first attempt must be the look at the taught pose.')
      return nextOf(settings, attempts, taught)
    },
  }
}

function nextOf(settings: PlanSettings, attempts: readonly Attempt[], taught: Attempt): Next {
  const views = attempts.filter(({ purpose }) => purpose === 'view')
  const progress: PlanProgress = {
    views: views.length,
    seen: views.filter(isSighting).length,
    outliers: [],
  }
  if (!isSighting(taught)) return { kind: 'stuck', reason: 'grid-not-seen-at-start', ...progress }
  return (
    recheck(attempts, progress) ??
    firstMove(settings, attempts, taught, progress) ??
    nextView(settings, attempts, progress)
  )
}

/** After two failures in a row: whether the grid is still where it was. */
function recheck(attempts: readonly Attempt[], progress: PlanProgress): Next | undefined {
  const visited = attempts.filter(({ skipped }) => !skipped)
  const [last, before] = [visited.at(-1), visited.at(-2)]
  if (!last || !before || isSighting(last)) return undefined
  if (last.purpose === 'again') return { kind: 'stuck', reason: 'grid-lost', ...progress }
  const anchor = attempts.findLast(isSighting)
  if (isSighting(before) || !anchor) return undefined
  return { kind: 'go', purpose: 'again', pose: anchor.robot, via: [], ...progress }
}

/** Shifts, then turns, until camera and grid are roughly known. */
function firstMove(
  settings: PlanSettings,
  attempts: readonly Attempt[],
  taught: Sighting,
  progress: PlanProgress,
): Next | undefined {
  const shifted = fromShifts(taught, attempts)
  if (!shifted)
    return tried(settings, attempts, 'shift', nextShifts(settings, taught, attempts), undefined, progress)
  const { mounting, ratio } = shifted
  if (!mounting) return { kind: 'stuck', reason: 'movement', ratio, ...progress }
  if ((mounting === 'robot') !== settings.robotMounted)
    return { kind: 'stuck', reason: 'mounting', found: mounting, ...progress }
  if (attempts.some(({ purpose }) => purpose === 'view')) return undefined
  const unknowns = roughUnknowns(taught, shifted, settings.robotMounted)
  const { x, y, z } = taught.grid.position
  const middle = { position: { x: 0, y: 0, z: Math.hypot(x, y, z) }, orientation: taught.grid.orientation }
  const turns = nextTurns(settings, taught, unknowns, slackOf(settings, middle), attempts)
  if (!turns.length && attempts.filter(isSighting).filter(({ purpose }) => purpose === 'turn').length > 1)
    return undefined
  return tried(settings, attempts, 'turn', turns, unknowns, progress)
}

/** The first pose within the limits. */
function tried(
  settings: PlanSettings,
  attempts: readonly Attempt[],
  purpose: Purpose,
  poses: readonly Pose[],
  unknowns: Unknowns | undefined,
  progress: PlanProgress,
): Go | Stuck {
  let limit: LimitName | undefined
  for (const pose of poses) {
    const via = pathTo(settings, attempts, unknowns, pose)
    if (typeof via !== 'string') return { kind: 'go', purpose, pose, via, ...progress }
    if (via !== 'too-near') limit ??= via
  }
  return { kind: 'stuck', reason: 'first-moves', ...(limit && { limit }), ...progress }
}

function nextView(settings: PlanSettings, attempts: readonly Attempt[], before: PlanProgress): Next {
  // A repetition at the same pose says nothing new about the camera.
  const sightings = attempts.filter(isSighting).filter(({ purpose }) => purpose !== 'again')
  const evidence = evidenceOf(settings, sightings)
  if (!evidence) return contradictory(settings, sightings, before)
  const { result, noise } = evidence
  const outliers = evidence.outliers.map((each) => ({
    ...each,
    index: attempts.indexOf(sightings[each.index] as Attempt),
  }))
  const progress: PlanProgress = { ...before, result, outliers }
  const { translation, gridTurnDegrees } = result.noise
  if (
    translation > contradiction.metres ||
    gridTurnDegrees > contradiction.degrees ||
    outliers.length > sightings.length / 3
  )
    return contradictory(settings, sightings, progress)
  const { wanted } = settings
  const fitting = sightings.filter((_, index) => !evidence.outliers.some((bad) => bad.index === index))
  if (
    before.seen >= fewestViews &&
    result.translationBound <= wanted.metres &&
    result.rotationBoundDegrees <= wanted.degrees
  )
    return wrongGrid(settings, fitting, progress) ?? { kind: 'done', ...progress, result }
  const expected = expectation(evidence, settings)
  if (before.views >= settings.most) {
    const mistake = wrongGrid(settings, fitting, progress)
    if (mistake) return mistake
    return {
      kind: 'stuck',
      reason: 'accuracy',
      reached: reachedOf(result, wanted),
      mostly: mostlyOf(settings, sightings, noise),
      ...progress,
    }
  }
  const found = chosen(settings, attempts, evidence, expected, before.views)
  if (!('robot' in found)) return { kind: 'stuck', reason: 'nothing-left', excluded: found, ...progress }
  const { robot: pose, via, view, seen } = found
  return {
    kind: 'go',
    purpose: 'view',
    pose,
    via,
    view,
    seenAs: seen,
    expected: expected.add(pose, seen),
    ...progress,
  }
}

function contradictory(
  settings: PlanSettings,
  sightings: readonly Sighting[],
  progress: PlanProgress,
): Stuck {
  const { robotMounted, fourAxis } = settings
  const mistake = setMistake(sightings, { robotMounted, ...(fourAxis && { fourAxis }) })
  return { kind: 'stuck', reason: 'contradiction', ...(mistake && { mistake }), ...progress }
}

/** A grid size that is wrong by one per cent gives a result that is wrong by as much, with good bounds. */
function wrongGrid(
  { robotMounted, fourAxis }: PlanSettings,
  sightings: readonly Sighting[],
  progress: PlanProgress,
): Stuck | undefined {
  const mistake = gridSizeMistake(sightings, { robotMounted, ...(fourAxis && { fourAxis }) })
  return mistake && { kind: 'stuck', reason: 'contradiction', mistake, ...progress }
}

/** The view of the plan, or the best of the others; otherwise the reasons for their exclusion. */
function chosen(
  settings: PlanSettings,
  attempts: readonly Attempt[],
  evidence: Evidence,
  { now, add }: ReturnType<typeof expectation>,
  index: number,
): Usable | Partial<Record<Exclusion, number>> {
  if (!settings.fourAxis) {
    const planned = usable(settings, attempts, evidence, plannedView(index, settings))
    if (typeof planned !== 'string') return planned
  }
  const excluded: Partial<Record<Exclusion, number>> = {}
  const exclude = (why: Exclusion) => (excluded[why] = (excluded[why] ?? 0) + 1)
  let best: Usable | undefined
  let least = now * (1 - leastGain)
  for (const view of otherViews(settings)) {
    const one = usable(settings, attempts, evidence, view)
    if (typeof one === 'string') exclude(one)
    else {
      const expected = add(one.robot, one.seen)
      if (expected < least) [best, least] = [one, expected]
      else exclude('no-gain')
    }
  }
  return best ?? excluded
}

const reachedOf = (
  { translationBound, rotationBoundDegrees }: { translationBound: number; rotationBoundDegrees: number },
  wanted: PlanSettings['wanted'],
) => Math.max(translationBound / wanted.metres, rotationBoundDegrees / wanted.degrees)

/** Whether a turn of the robot moves the grid by more than the error of the camera. */
function mostlyOf(
  { robotMounted }: PlanSettings,
  sightings: readonly Sighting[],
  [, move, robotTurn]: Evidence['noise'],
): 'robot' | 'camera' {
  const [first] = sightings
  if (!first) return 'camera'
  const { x, y, z } = robotMounted
    ? first.grid.position
    : composed(inverted(first.robot), first.grid).position
  const arm = Math.hypot(x, y, z)
  return Math.exp(robotTurn / 2) * arm > Math.exp(move / 2) ? 'robot' : 'camera'
}
