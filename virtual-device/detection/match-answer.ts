import type { Detection } from './detections'
import type { ObjectGrasp } from './object-grasps'
import { uuid } from './uuid'
import type { Sortable } from './sorting'

/** Matches and their grasps as shown in answers, linked by uuids. */
export function matchAnswer<Match extends Sortable>(
  { frames, look }: Pick<Detection, 'frames' | 'look'>,
  random: () => number,
  matches: readonly Match[],
  grasps: readonly ObjectGrasp<Match>[],
  /** The field of a grasp that refers to its match. */
  matchUuid: 'match_uuid' | 'instance_uuid',
) {
  const placed = { pose_frame: frames.name, timestamp: look().timestamp }
  const named = matches.map((match) => ({ match, uuid: uuid(random) }))
  const shownGrasps = grasps.map(({ match, grasp, gripper_id, pose, collision_checked }) => ({
    match,
    shown: {
      ...placed,
      uuid: uuid(random),
      [matchUuid]: named.find((each) => each.match === match)?.uuid ?? '',
      id: grasp.id,
      gripper_id,
      priority: grasp.priority,
      collision_checked,
      pose: frames.answer(pose),
    },
  }))
  return {
    grasps: shownGrasps.map(({ shown }) => shown),
    matches: named.map(({ match, uuid: id }) => ({
      match,
      shown: {
        ...placed,
        uuid: id,
        pose: frames.answer(match.pose),
        grasp_uuids: shownGrasps.filter((each) => each.match === match).map(({ shown }) => shown.uuid),
      },
    })),
  }
}
