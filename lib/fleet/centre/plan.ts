import { randomUUID } from 'node:crypto'
import { equalWaves } from '../../kernel/waves'
import { Type, type Static, Value, type TSchema } from '../../typebox'
import { commandKinds, type CommandKind, FleetArtifact } from '../messages'
import { addressOf, type Member, readAddress } from './picture'
import { CentreError } from './centre-error'
import { Search } from './views'

/** When devices of a cell may be begun, in the local time of that cell. */
export const TimeWindow = Type.Object(
  {
    /** `22:00` */
    from: Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
    /** `05:00`, on the next day if it is before `from`. */
    to: Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
    /** Days on which it opens, 0 is Sunday. @default all */
    days: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 6 }), { minItems: 1, maxItems: 7 })),
  },
  { additionalProperties: false },
)

type TimeWindow = Static<typeof TimeWindow>

const day = 24 * 60

/**
 * Minutes until the window closes; 0 while it is closed.
 * @param zone `Europe/Berlin`, as in the IANA database
 * @param wall milliseconds since 1970
 */
export function minutesOpen({ from, to, days }: TimeWindow, zone: string, wall: number): number {
  const { weekday, minute } = localTime(zone, wall)
  const [opens, closes] = [minutesOf(from), minutesOf(to)]
  const opensOn = (one: number) => !days || days.includes((one + 7) % 7)
  const tillMidnight = closes > opens ? closes : closes + day
  if (minute >= opens && minute < tillMidnight && opensOn(weekday)) return tillMidnight - minute
  // It may have opened yesterday.
  if (closes <= opens && minute < closes && opensOn(weekday - 1)) return closes - minute
  return 0
}

/** Whether a time zone is known here. */
export function isZone(zone: string): boolean {
  try {
    return zone.length <= 64 && Boolean(formatOf(zone))
  } catch {
    return false
  }
}

const minutesOf = (text: string) => 60 * Number(text.slice(0, 2)) + Number(text.slice(3))

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

const formats = new Map<string, Intl.DateTimeFormat>()

/** Creating one takes longer than using it a hundred times. @throws RangeError for an unknown zone */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(zone, format)
  return format
}

function localTime(zone: string, wall: number): { weekday: number; minute: number } {
  const parts = formatOf(zone).formatToParts(wall)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return {
    weekday: weekdays.indexOf(part('weekday')),
    minute: 60 * Number(part('hour')) + Number(part('minute')),
  }
}

/** What can be rolled out: everything that a cell does on a device. */
export const rolloutKinds = commandKinds.filter(
  (kind): kind is RolloutKind => !['status', 'abort', 'run-flow'].includes(kind),
)

export type RolloutKind = Exclude<CommandKind, 'status' | 'abort' | 'run-flow'>

/** Devices of a rollout, at most. */
const mostMembers = 20_000

/** How a rollout proceeds; times in seconds. */
export const Pace = Type.Object(
  {
    /** Devices of the first wave, to see whether it works; 0 for none. */
    canary: Type.Integer({ minimum: 0, maximum: mostMembers }),
    /** Devices of each further wave: a number, or `10 %` of all. */
    wave: Type.Union([
      Type.Integer({ minimum: 1, maximum: mostMembers }),
      Type.String({ pattern: '^(100|[1-9]?[0-9]) ?%$' }),
    ]),
    /** Devices that are worked on at the same time. */
    atOnce: Type.Integer({ minimum: 1, maximum: mostMembers }),
    /** Failures at which no further device is begun. */
    stopAfter: Type.Integer({ minimum: 1, maximum: mostMembers }),
    /** Before which waves to ask. */
    approval: Type.Union([Type.Literal('none'), Type.Literal('canary'), Type.Literal('each')]),
    /** How long to wait for a cell that is not seen. */
    reachWithin: Type.Number({ minimum: 1, maximum: 604_800 }),
    /** Without a sign of a job that was begun, after which its outcome counts as unknown. */
    answerWithin: Type.Number({ minimum: 1, maximum: 604_800 }),
    /** After which the rollout ends, whatever is left. */
    endsWithin: Type.Number({ minimum: 1, maximum: 2_592_000 }),
    window: Type.Optional(TimeWindow),
    /** Time zones by plant, `north`, or cell, `north/cell-7`; `*` for all others. @default UTC */
    zones: Type.Record(Type.String({ maxLength: 130 }), Type.String({ maxLength: 64 })),
  },
  { additionalProperties: false },
)

export type Pace = Static<typeof Pace>

export const defaultPace: Pace = {
  canary: 1,
  wave: '10 %',
  atOnce: mostMembers,
  stopAfter: 1,
  approval: 'canary',
  reachWithin: 600,
  answerWithin: 3600,
  endsWithin: 604_800,
  zones: {},
}

/** What is to be done, and on which devices in which order. */
export interface RolloutPlan {
  /** Ids of its jobs begin with it. */
  id: string
  /** For people. */
  name: string
  do: RolloutKind
  args: Record<string, unknown>
  members: readonly Member[]
  pace: Pace
  /** ISO 8601. */
  startedAt: string
}

/** Where each wave begins, and the number of members as the last. */
export function wavesOf({ members, pace }: Pick<RolloutPlan, 'members' | 'pace'>): number[] {
  const { canary, wave } = pace
  const size =
    typeof wave === 'number' ? wave : Math.max(1, Math.ceil((members.length * Number.parseInt(wave)) / 100))
  return equalWaves(members.length, size, canary || size)
}

/** The zone of the cell. */
export const zoneOf = ({ zones }: Pace, { plant, cell }: Member): string =>
  zones[`${plant}/${cell}`] ?? zones[plant] ?? zones['*'] ?? 'UTC'

/** Made from the plan, so that a centre that was killed asks again with the same one. */
export const jobId = ({ id }: Pick<RolloutPlan, 'id'>, index: number): string => `${id}.${index}`

/** The rollout and the member of a job; undefined for a job that belongs to none. */
export function readJobId(job: string): { rollout: string; index: number } | undefined {
  const [rollout = '', number = '', ...more] = job.split('.')
  const index = Number(number)
  return number !== '' && Number.isInteger(index) && index >= 0 && more.length === 0
    ? { rollout, index }
    : undefined
}

/** The devices that are twice among the members. */
function twice(members: readonly Member[]): string[] {
  const seen = new Set<string>()
  return members.map(addressOf).filter((address) => seen.size === seen.add(address).size)
}

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
