import { station, type Unknowns } from '../hand-eye/station'
import { composed, inverted, type Pose } from '../pose'
import { isSighting, type Attempt, type Sighting } from './attempt'
import { doubtAt, type Evidence } from './evidence'
import { isSame, repeatsFailure } from './failures'
import { beyond, type LimitName } from './limits'
import type { Exclusion } from './next'
import { stepsTo } from './path'
import type { PlanSettings } from './settings'
import { candidateOf, type Candidate, type View } from './views'

/** A candidate with the way to it. */
export interface Usable extends Candidate {
  via: Pose[]
}

/** The farthest that an uncertain result may make a view keep off the edge of the picture, metres. */
const mostDoubt = 0.1
/** On the way the camera may come nearer to the grid than where it looks, by this share. */
const passing = 0.75

/** The way to a view, or why there is none. */
export function usable(
  settings: PlanSettings,
  attempts: readonly Attempt[],
  evidence: Evidence,
  view: View,
): Usable | Exclusion {
  const [taught] = attempts.filter(isSighting)
  if (!taught) return 'failed'
  const { unknowns } = evidence.fit
  const about = { taught: taught.robot, first: taught.grid, unknowns }
  const rough = candidateOf(settings, { ...about, doubt: 0 }, view)
  if (!rough) return 'picture'
  const doubt = Math.min(
    mostDoubt,
    doubtAt(evidence, station({ robot: rough.robot, grid: rough.seen }, settings.robotMounted)),
  )
  const candidate = candidateOf(settings, { ...about, doubt }, view)
  if (!candidate) return 'picture'
  if (repeatsFailure(attempts, candidate.robot)) return 'failed'
  if (attempts.some(({ purpose, robot }) => purpose === 'view' && isSame(robot, candidate.robot)))
    return 'tried'
  const way = wayTo(settings, attempts, unknowns, candidate.robot)
  if (typeof way === 'string') return way
  return { ...candidate, via: way }
}

/** The hand's poses on the way without the last; over the taught pose if the straight way is beyond a limit. */
export function wayTo(
  settings: PlanSettings,
  attempts: readonly Attempt[],
  unknowns: Unknowns | undefined,
  to: Pose,
): Pose[] | LimitName | 'too-near' {
  const [taught] = attempts
  const last = attempts.findLast(({ skipped }) => !skipped)
  const anchor = attempts.findLast(isSighting)
  if (!taught || !last || !anchor) return []
  const { step } = settings.limits
  // After a failure, back the way it came: the anchor is where it came from.
  const back = last === anchor ? [] : stepsTo(last.robot, anchor.robot, step)
  const forbidden = (way: readonly Pose[]) => {
    for (const hand of way) {
      const limit = beyond(settings, taught.robot, hand, unknowns)
      if (limit) return limit
      if (unknowns && isTooNear(settings, taught, hand, unknowns)) return 'too-near'
    }
    return undefined
  }
  const straight = stepsTo(anchor.robot, to, step)
  const limit = forbidden(straight)
  if (!limit) return [...back, ...straight.slice(0, -1)]
  const around = [...stepsTo(anchor.robot, taught.robot, step), ...stepsTo(taught.robot, to, step)]
  if (!forbidden(around)) return [...back, ...around.slice(0, -1)]
  return limit
}

function isTooNear(
  { limits, robotMounted }: PlanSettings,
  taught: Attempt | Sighting,
  hand: Pose,
  { camera, grid }: Unknowns,
): boolean {
  const arm = robotMounted ? hand : inverted(hand)
  const { x, y, z } = composed(inverted(composed(arm, camera)), grid).position
  const first = taught.grid?.position
  const nearest = limits.nearest ?? (first ? 0.6 * Math.hypot(first.x, first.y, first.z) : 0)
  return Math.hypot(x, y, z) < passing * nearest
}
