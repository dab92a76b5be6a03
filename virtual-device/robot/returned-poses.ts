import { Type, Value, type Static } from '../../lib/typebox'
import type { RobotJob } from '../../lib/contract'
import { normalized } from '../../lib/robotics/quaternion'
import type { PrimaryPose, ResultPose } from '../../lib/robot-interface'
import { additionalReturn, additionalValues, type AdditionalReturn } from './additional-values'

const Pose = Type.Object({
  position: Type.Object({ x: Type.Number(), y: Type.Number(), z: Type.Number() }),
  orientation: Type.Object({ w: Type.Number(), x: Type.Number(), y: Type.Number(), z: Type.Number() }),
})
const Placed = Type.Object({ pose: Pose })
type Placed = Static<typeof Placed>

/** Lists of the answers and the lists that belong to them: by the uuid in a field, or by a list of uuids. */
const relations: Readonly<Record<string, readonly { list: string; by: string }[]>> = {
  grasps: [
    { list: 'items', by: 'item_uuid' },
    { list: 'matches', by: 'match_uuid' },
    { list: 'instances', by: 'instance_uuid' },
  ],
  items: [{ list: 'grasps', by: 'grasp_uuids' }],
  matches: [{ list: 'grasps', by: 'grasp_uuids' }],
  instances: [{ list: 'grasps', by: 'grasp_uuids' }],
}

/**
 * The poses that a job returns of the answer of its service, in the order of the answer, with the poses that belong to
 * each.
 * @returns undefined if the answer has no such poses, or the additional values cannot be used
 */
export function returnedPoses(
  { selected_return: selected = '', additional_return }: RobotJob,
  answer: Readonly<Record<string, unknown>>,
): PrimaryPose[] | undefined {
  const values = additionalReturn(additional_return)
  const elements = values && placedIn(answer, selected)
  return elements?.map((element) => ({
    ...result(element, values?.primary, answer),
    related: relatedTo(element, selected, answer).map((each) => result(each, values?.related, answer)),
  }))
}

function result(
  element: Placed,
  wanted: AdditionalReturn['primary'],
  answer: Readonly<Record<string, unknown>>,
): ResultPose {
  const { position, orientation } = element.pose
  return {
    pose: { position, orientation: normalized(orientation) },
    extra: additionalValues(wanted, element, answer),
  }
}

/** What has a pose in that field: a list, or a single pose as of `get_calibration`. */
function placedIn(answer: Readonly<Record<string, unknown>>, field: string): Placed[] | undefined {
  const found = Object.hasOwn(answer, field) ? answer[field] : undefined
  if (Value.Check(Pose, found)) return [{ pose: found }]
  if (Value.Check(Placed, found)) return [found]
  return Value.Check(Type.Array(Placed), found) ? found : undefined
}

function relatedTo(element: object, field: string, answer: Readonly<Record<string, unknown>>): Placed[] {
  const of = Object.hasOwn(relations, field) ? relations[field] : undefined
  return (of ?? []).flatMap(({ list, by }) => {
    const uuids: unknown[] = [(element as Record<string, unknown>)[by]].flat()
    return (placedIn(answer, list) ?? []).filter((each) => uuids.includes((each as { uuid?: unknown }).uuid))
  })
}
