import { randomUUID } from 'node:crypto'
import { Type, Value, type Static, type TSchema } from '../../typebox'
import { commandKinds, FleetArtifact } from '../messages'
import { CentreError } from './centre-error'
import { readAddress, type Member } from './member'
import { Pace, mostMembers, rolloutKinds, twice, type RolloutPlan } from './plan'
import { Search } from './search'
import { isZone } from './time-window'

/** What a flow orders: what to do, where, and how to proceed if not as the settings say. */
export const RolloutOrder = Type.Object(
  {
    /** For people. @default what is done, and when */
    name: Type.Optional(Type.String({ maxLength: 200 })),
    do: Type.Union(rolloutKinds.map((kind) => Type.Literal(kind))),
    args: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** `north/cell-7/left`, in the order in which they are begun. */
    devices: Type.Optional(
      Type.Array(Type.String({ maxLength: 400 }), { minItems: 1, maxItems: mostMembers }),
    ),
    /** Instead of `devices`: all that are known now and match. */
    where: Type.Optional(Search),
    ...Type.Partial(Pace).properties,
  },
  { additionalProperties: false },
)
export type RolloutOrder = Static<typeof RolloutOrder>

/** A single command to a cell, or to a device of it. */
export const Question = Type.Object(
  {
    /** `north/cell-7/left`, or `north/cell-7` for what belongs to no device. */
    to: Type.String({ minLength: 3, maxLength: 400 }),
    do: Type.Union(commandKinds.map((kind) => Type.Literal(kind))),
    args: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** Seconds to wait for the answer. */
    within: Type.Optional(Type.Number({ minimum: 1, maximum: 86_400 })),
  },
  { additionalProperties: false },
)

/** Bytes of the arguments: they travel to each device. */
const mostArgs = 200 * 1024

/**
 * @param found the devices that match a search
 * @throws CentreError `INVALID_INPUT` naming the field
 */
export function planOf(
  given: unknown,
  pace: Pace,
  wall: number,
  found: (search: Search) => Member[],
): RolloutPlan {
  const order = checked(RolloutOrder, given)
  const { name, do: kind, args = {}, devices, where, ...own } = order
  if ((devices === undefined) === (where === undefined))
    throw new CentreError('INVALID_INPUT', 'order-devices')
  const members = devices ? devices.map(memberOf) : found(where ?? {})
  if (members.length === 0) throw new CentreError('INVALID_INPUT', 'order-no-devices')
  const [double] = twice(members)
  if (double !== undefined) throw new CentreError('INVALID_INPUT', 'order-twice', { device: double })
  if (kind === 'update-firmware' && !Value.Check(FleetArtifact, args['artifact']))
    throw new CentreError('INVALID_INPUT', 'order-artifact')
  if (JSON.stringify(args).length > mostArgs)
    throw new CentreError('INVALID_INPUT', 'order-args', { kilobytes: mostArgs / 1024 })
  const startedAt = new Date(wall).toISOString()
  const plan = { ...pace, ...own }
  const unknown = Object.values(plan.zones).find((zone) => !isZone(zone))
  if (unknown !== undefined) throw new CentreError('INVALID_INPUT', 'order-zone', { zone: unknown })
  if (plan.window && plan.window.from === plan.window.to)
    throw new CentreError('INVALID_INPUT', 'order-window')
  return {
    id: randomUUID(),
    name: name ?? `${kind} ${startedAt}`,
    do: kind,
    args,
    members,
    pace: plan,
    startedAt,
  }
}

/** @throws CentreError `INVALID_INPUT` naming the first field that is wrong */
export function checked<Schema extends TSchema>(schema: Schema, given: unknown): Static<Schema> {
  if (Value.Check(schema, given)) return given
  const path = Value.Errors(schema, given).First()?.path.slice(1).replaceAll('/', '.').slice(0, 100)
  if (path) throw new CentreError('INVALID_INPUT', 'order-field', { field: path })
  throw new CentreError('INVALID_INPUT', 'order-no-object')
}

function memberOf(address: string): Member {
  const member = readAddress(address)
  if (member) return member
  throw new CentreError('INVALID_INPUT', 'order-address', { address: address.slice(0, 200) })
}
