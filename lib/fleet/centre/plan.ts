import { Type, type Static } from '../../typebox'
import { commandKinds, type CommandKind } from '../messages'
import { addressOf, type Member } from './member'
import { TimeWindow } from './time-window'

/** What can be rolled out: everything that a cell does on a device. */
export const rolloutKinds = commandKinds.filter(
  (kind): kind is RolloutKind => !['status', 'abort', 'run-flow'].includes(kind),
)
export type RolloutKind = Exclude<CommandKind, 'status' | 'abort' | 'run-flow'>

/** Devices of a rollout, at most. */
export const mostMembers = 20_000

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
  const begins = [0]
  for (let next = canary || size; next < members.length; next += size) begins.push(next)
  return [...begins, members.length]
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
export function twice(members: readonly Member[]): string[] {
  const seen = new Set<string>()
  return members.map(addressOf).filter((address) => seen.size === seen.add(address).size)
}
