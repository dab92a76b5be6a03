import type { RobotJob } from '../../lib/contract'
import type { PrimaryPose, ResultPose } from '../../lib/robot-interface'
import { normalized } from '../../lib/robotics/rotation'
import { type Static, Type, Value } from '../../lib/typebox'

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

const AdditionalValue = Type.Object({
  json_path: Type.String({ minLength: 1 }),
  target_field: Type.String({ pattern: '^data_([4-9]|10)$' }),
  type: Type.Union([Type.Literal('float'), Type.Literal('int')]),
})
type AdditionalValue = Static<typeof AdditionalValue>

const AdditionalReturn = Type.Object({
  primary: Type.Optional(Type.Array(AdditionalValue)),
  related: Type.Optional(Type.Array(AdditionalValue)),
})
/** The values that a job returns with each of its poses. */
type AdditionalReturn = Static<typeof AdditionalReturn>

/** The `additional_return` of a job; undefined if it cannot be used. */
const additionalReturn = (given: unknown = {}): AdditionalReturn | undefined =>
  Value.Check(AdditionalReturn, given ?? {}) ? (given ?? {}) : undefined

const firstField = 4

/**
 * data_4 to data_10: a float times a million, an int as it is, 0 for what is missing or no number.
 * @param element that the pose is from
 * @param answer of the service, where paths with a leading dot begin
 */
function additionalValues(
  wanted: readonly AdditionalValue[] = [],
  element: unknown,
  answer: unknown,
): number[] {
  const values = Array<number>(7).fill(0)
  for (const { json_path, target_field, type } of wanted) {
    const found = json_path.startsWith('.') ? at(answer, json_path.slice(1)) : at(element, json_path)
    const value = typeof found === 'number' ? found : 0
    values[Number(target_field.slice('data_'.length)) - firstField] = type === 'float' ? value * 1e6 : value
  }
  return values
}

/** @param path names of fields, or indices of a list, with dots between them */
function at(from: unknown, path: string): unknown {
  let found = from
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key]
  }
  return found
}
