import { composed, type Pose } from '../../lib/robotics/pose'
import { degrees } from '../../lib/robotics/quaternion'
import type { Environment } from '../module'
import type { Detection } from './detections'
import type { SearchResult } from './search'
import { offPreferred, type Sortable } from './sorting'
import { collisionOf } from './suction-grasps'
import { replicated, type TemplateGrasp } from './template-grasps'

/** A grasp on one of the detected objects, in the camera's frame. */
export interface ObjectGrasp<Match> {
  match: Match
  grasp: TemplateGrasp
  gripper_id: string
  pose: Pose
  collision_checked: boolean
}

/** Most grasps in an answer. */
const mostGrasps = 100
/** Our choice: most possible grasps that are checked. */
const mostPossible = 2000

/**
 * The reachable grasps on the detected objects, those of the highest priority first. Adds a remark if there are none.
 */
export function objectGrasps<Match extends Sortable>(
  environment: Environment,
  { args, parameters, remark }: Detection,
  { loadCarrier }: Pick<SearchResult, 'loadCarrier'>,
  matches: readonly Match[],
  grasps: readonly TemplateGrasp[],
  preferred: Pose,
): { grasps: ObjectGrasp<Match>[]; trimmed: boolean } {
  const { gripper_id: usual = '' } = (args.collision_detection ?? {}) as { gripper_id?: string }
  collisionOf(environment, args, loadCarrier)
  const checking = parameters.check_collisions === true || usual !== ''
  const colliders = new Map<string, (pose: Pose) => boolean>()
  const collides = (gripper: string, pose: Pose) => {
    const known = colliders.get(gripper) ?? collisionOf(environment, args, loadCarrier, gripper)
    colliders.set(gripper, known)
    return known(pose)
  }
  const threshold = Number(parameters.grasp_filter_orientation_threshold ?? 0)
  const highest = Math.max(...grasps.map(({ priority }) => priority))
  const poses = grasps
    .filter(({ priority }) => parameters.only_highest_priority_grasps !== true || priority === highest)
    .sort((one, other) => other.priority - one.priority)
    .flatMap((grasp) => replicated(grasp).map((pose) => ({ grasp, pose })))
    .slice(0, mostPossible / Math.max(1, matches.length))
  const possible = matches
    .flatMap((match) =>
      poses.map(({ grasp, pose }): ObjectGrasp<Match> => {
        const gripper_id = grasp.gripper_id || usual
        const collision_checked = checking && gripper_id !== '' && loadCarrier !== undefined
        return { match, grasp, gripper_id, pose: composed(match.pose, pose), collision_checked }
      }),
    )
    .sort((one, other) => other.grasp.priority - one.grasp.priority)
    .filter(({ pose }) => threshold === 0 || degrees(offPreferred(pose, preferred)) <= threshold)
  const free: ObjectGrasp<Match>[] = []
  let trimmed = false
  for (const each of possible) {
    if (each.collision_checked && collides(each.gripper_id, each.pose)) continue
    trimmed = free.length === mostGrasps
    if (trimmed) break
    free.push(each)
  }
  if (matches.length > 0 && grasps.length > 0) {
    if (possible.length === 0) remark(101, 'no grasp can be reached')
    else if (free.length === 0) remark(103, 'all grasps collide')
    const unchecked = checking && possible.some(({ gripper_id }) => gripper_id === '')
    if (unchecked) remark(113, 'no gripper to check collisions with')
    if (parameters.check_collisions_during_retraction === true && (unchecked || !loadCarrier))
      remark(114, 'collisions during retraction are not checked: there is no gripper or no load carrier')
  }
  return { grasps: free, trimmed }
}
