import type { Pose } from '../robotics/pose'
import type { Candidate, DialogueCodes, RobotResult } from './cycle'
import { implausibility, type Workspace } from './plausible'
import { isSamePose } from './same-pose'

/** What decides whether a result may be handed over; milliseconds. */
export interface HandOverRules {
  codes: DialogueCodes
  oldest: number
  workspace: Workspace
}

/** Poses that a robot may get, and when their picture was taken; or the code of why there are none. */
export type HandedOver = { leftOut: number } & (
  | { code: number }
  | { candidates: readonly Candidate[]; taken: number }
)

/**
 * The part of a result that its robot may get: not from a picture that is too old or of another pose of the robot, and
 * no pose outside the workspace.
 * @param cycle when the request came, and where the robot was
 */
export function handedOver(
  result: Pick<RobotResult, 'poses' | 'age' | 'takenAt'>,
  cycle: { began: number; pose?: Pose },
  { codes, oldest, workspace }: HandOverRules,
  now: number,
): HandedOver {
  const { poses = [], takenAt } = result
  const taken = now - (result.age ?? now - cycle.began)
  if (now - taken > oldest) return { code: codes.TOO_OLD, leftOut: 0 }
  if (cycle.pose && takenAt && !isSamePose(cycle.pose, takenAt)) return { code: codes.OTHER_POSE, leftOut: 0 }
  const isInside = ({ pose }: Candidate) => implausibility(pose, workspace) === undefined
  const candidates = poses.filter(isInside)
  const leftOut = poses.length - candidates.length
  if (candidates.length === 0) return { code: leftOut > 0 ? codes.OUTSIDE : codes.NO_POSE, leftOut }
  return { candidates, taken, leftOut }
}
