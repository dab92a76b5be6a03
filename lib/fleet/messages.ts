import { createHash } from 'node:crypto'
import { Type, type Static, type TSchema, Value } from '../typebox'
import { sentencesIn } from '../kernel/sentences'
import type en from './locales/en-US/sentences.json'
import { checkJson } from '../codec/json'
import { NotJson, plainJson } from '../kernel/json'

/** Names of plants, cells, centres, devices and flows in topics and payloads. */
const namePattern = '^[A-Za-z0-9_.-]{1,64}$'

/** Whether a text can be one level of a topic: letters, digits, `-`, `_` and `.`, at most 64. */
export const isName = (text: unknown): text is string =>
  typeof text === 'string' && /^[A-Za-z0-9_.-]{1,64}$/.test(text)

/** Whether a text can be the root of all topics: one or more names with `/` between them. */
export const isRoot = (text: string): boolean => text.length <= 200 && text.split('/').every(isName)

/** The level where the topics of the centres are. */
export const centreLevel = 'centre'

/** Whether a plant can have this name: not that of a level which is taken, here or in Sparkplug. */
export const isPlant = (text: unknown): text is string =>
  isName(text) && text !== centreLevel && text !== 'STATE'

/** A cell: the root of the topics, its plant and its own name. */
export interface CellName {
  root: string
  plant: string
  cell: string
}

/** The last levels of the topics of a cell. */
export const cellTopics = ['state', 'gone', 'here', 'command', 'answer', 'event', 'ack'] as const

export type CellTopic = (typeof cellTopics)[number]

/** A topic of a cell, `vision/north/cell-7/state`. */
export const topicOf = ({ root, plant, cell }: CellName, last: CellTopic): string =>
  `${root}/${plant}/${cell}/${last}`

/** What a centre subscribes to for one kind of message of all cells, `vision/+/+/state`. */
export const topicOfAllCells = (root: string, last: CellTopic): string => `${root}/+/+/${last}`

/** The retained claim of the one centre that acts. */
export const claimTopic = (root: string): string => `${root}/${centreLevel}`

/** Where a centre receives answers: the response topic of its commands. */
export const centreAnswerTopic = (root: string, centre: string): string =>
  `${root}/${centreLevel}/${centre}/answer`

/** The cell and the kind of message that a topic names; undefined for any other topic. */
export function readCellTopic(root: string, topic: unknown): (CellName & { last: CellTopic }) | undefined {
  const [plant, cell, last, ...more] = levelsBelow(root, topic)
  if (!isPlant(plant) || !isName(cell) || more.length > 0) return undefined
  const known = cellTopics.find((one) => one === last)
  return known && { root, plant, cell, last: known }
}

/** The centre whose response topic this is; undefined for any other topic. */
export function readCentreAnswerTopic(root: string, topic: unknown): string | undefined {
  const [level, centre, last, ...more] = levelsBelow(root, topic)
  return level === centreLevel && isName(centre) && last === 'answer' && more.length === 0
    ? centre
    : undefined
}

const levelsBelow = (root: string, topic: unknown): string[] =>
  typeof topic === 'string' && topic.length <= 500 && topic.startsWith(`${root}/`)
    ? topic.slice(root.length + 1).split('/')
    : []

/** The sentences about messages between cells and a centre. */
export const fleetSentences = sentencesIn<typeof en>(__dirname)

/** Bytes of a message, at most. An artifact or an image never travels in one. */
export const mostBytes = 256 * 1024

/** Devices of a cell, at most. */
export const mostDevices = 250

/** Version of the protocol; a message of another version is not read. */
export const version = 1

const Version = Type.Literal(version)

const Name = Type.String({ pattern: namePattern })

const Text = Type.String({ maxLength: 200 })

const LongText = Type.String({ maxLength: 2000 })

/** ISO 8601 in UTC, by the clock of who wrote it, which may be wrong. */
const Time = Type.String({ maxLength: 40 })

/** Of a start of an agent or a centre; a new one with each start. */
const Boot = Type.String({ minLength: 1, maxLength: 64 })

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** Made by who asks, used once. */
const CommandId = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,64}$' })

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })

const Percent = Type.Number({ minimum: 0, maximum: 100 })

/** What a centre can ask of a cell. */
export const commandKinds = [
  'read-parameters',
  'set-parameters',
  'call-service',
  'backup',
  'restore',
  'compare',
  'update-firmware',
  'run-flow',
  'status',
  'abort',
] as const

export type CommandKind = (typeof commandKinds)[number]

/** Kinds that change nothing: allowed without a right. */
export const readingKinds: ReadonlySet<CommandKind> = new Set(['read-parameters', 'compare', 'status'])

const Do = Type.Union(commandKinds.map((kind) => Type.Literal(kind)))

/**
 * How a cell knows since when a calibration is there. `saved`: it saved it then. `changed`: it saw then that another one had
 * replaced the one before. `seen`: it saw it then for the first time; it may be older.
 */
const CalibrationSince = Type.Object({
  since: Time,
  sinceIs: Type.Union([Type.Literal('saved'), Type.Literal('changed'), Type.Literal('seen')]),
})

export type CalibrationSince = Static<typeof CalibrationSince>

/** A device, as its cell knows it without asking it more often than it does anyway. */
export const FleetDevice = Type.Object({
  /** Name of its configuration in the cell, unique there. */
  device: Text,
  /** `ready`, `starting`, `unreachable` …, as the nodes show it. */
  link: Type.String({ maxLength: 40 }),
  /** Since when the link is as it is. */
  since: Type.Optional(Time),
  address: Type.Optional(Text),
  model: Type.Optional(Text),
  serial: Type.Optional(Text),
  hostname: Type.Optional(Text),
  /** The version that runs. */
  firmware: Type.Optional(Text),
  /** The version that the next restart activates. */
  firmwarePending: Type.Optional(Text),
  /** Degrees Celsius. */
  temperature: Type.Optional(Type.Number({ minimum: -273, maximum: 1000 })),
  /** SHA-256 of the settings as a backup has them, in canonical JSON; null if it is not known. */
  fingerprint: Type.Union([Sha256, Type.Null()]),
  /** When the fingerprint was made; without one, why there is none. */
  fingerprintAt: Type.Optional(Time),
  fingerprintProblem: Type.Optional(Text),
  /** The last hand-eye calibration; null if the device tells none. */
  calibration: Type.Union([
    Type.Object({
      at: Type.Union([Time, Type.Null()]),
      errorMm: Type.Union([Type.Number(), Type.Null()]),
      ...Type.Partial(CalibrationSince).properties,
    }),
    Type.Null(),
  ]),
  /** Short words. */
  problems: Type.Array(Text, { maxItems: 20 }),
})

export type FleetDevice = Static<typeof FleetDevice>

/** A command that a cell is executing. */
const Working = Type.Object({
  id: CommandId,
  do: Do,
  device: Type.Optional(Text),
  phase: Type.Optional(Text),
  percent: Type.Optional(Percent),
})

/** The retained state of a cell. */
export const CellState = Type.Object({
  v: Version,
  plant: Name,
  cell: Name,
  boot: Boot,
  /** Counts within `boot`. */
  n: Count,
  at: Time,
  /** Seconds between two states, at most. */
  every: Type.Number({ minimum: 1, maximum: 86_400 }),
  /** Seconds of the message expiry with which it was published: what is left of it tells its age. */
  expires: Type.Integer({ minimum: 60, maximum: 604_800 }),
  devices: Type.Array(FleetDevice, { maxItems: mostDevices }),
  /** Flows that commands may run. */
  flows: Type.Array(Text, { maxItems: 200 }),
  /** Kinds that commands may ask for, with `call-service node/service` for each service. */
  may: Type.Array(Text, { maxItems: 500 }),
  working: Type.Array(Working, { maxItems: 100 }),
})

export type CellState = Static<typeof CellState>

/** A command to a cell. MQTT: response topic, correlation data (the id), message expiry. */
export const Command = Type.Object({
  v: Version,
  id: CommandId,
  /** The centre that asks. */
  from: Name,
  do: Do,
  device: Type.Optional(Text),
  args: Type.Record(Type.String(), Type.Unknown()),
  /** Not to be begun after this time, by the clock of the cell; beside MQTT's expiry. */
  notAfter: Type.Optional(Time),
})

export type Command = Static<typeof Command>

export const answerStates = ['accepted', 'working', 'done', 'refused', 'failed', 'unknown'] as const

export type AnswerState = (typeof answerStates)[number]

/** States after which nothing more comes. `unknown`: it may have been executed, and is never repeated. */
export const finalStates: ReadonlySet<AnswerState> = new Set(['done', 'refused', 'failed', 'unknown'])

/** An answer of a cell. Final ones are repeated until they are acknowledged. */
export const Answer = Type.Object({
  v: Version,
  id: CommandId,
  /** Counts answers and events within `boot`. */
  seq: Count,
  boot: Boot,
  plant: Name,
  cell: Name,
  state: Type.Union(answerStates.map((state) => Type.Literal(state))),
  /** Stable code of a refusal or failure. */
  code: Type.Optional(Type.String({ maxLength: 40 })),
  text: Type.Optional(LongText),
  result: Type.Optional(Type.Unknown()),
  percent: Type.Optional(Percent),
  phase: Type.Optional(Text),
  at: Time,
})

export type Answer = Static<typeof Answer>

/** Something that must not get lost; repeated until it is acknowledged. */
export const FleetEvent = Type.Object({
  v: Version,
  seq: Count,
  boot: Boot,
  plant: Name,
  cell: Name,
  /** `alarm`, `calibration`, `update` … */
  event: Type.String({ minLength: 1, maxLength: 64 }),
  device: Type.Optional(Text),
  text: Type.Optional(LongText),
  data: Type.Optional(Type.Unknown()),
  at: Time,
})

export type FleetEvent = Static<typeof FleetEvent>

/** Ends the repetition of answers and events. */
export const Ack = Type.Object({
  v: Version,
  boot: Boot,
  seqs: Type.Array(Count, { minItems: 1, maxItems: 1000 }),
})

export type Ack = Static<typeof Ack>

/** The retained claim of the centre that acts. Renewed every 10 s, expires after 30 s. */
export const Claim = Type.Object({
  v: Version,
  centre: Name,
  boot: Boot,
  /** Milliseconds since 1970: the lower one of two claims wins, then the smaller name. */
  since: Count,
  n: Count,
  /** A question of a centre that starts, and no claim; not retained. */
  asks: Type.Optional(Type.Literal(true)),
})

export type Claim = Static<typeof Claim>

/** An artifact that cells fetch over HTTP(S), with ranges; the broker never carries it. */
export const FleetArtifact = Type.Object({
  url: Type.String({ maxLength: 2000 }),
  sha256: Sha256,
  /** Bytes. */
  size: Type.Integer({ minimum: 1, maximum: 64 * 1024 ** 3 }),
})

export type FleetArtifact = Static<typeof FleetArtifact>

/** The payloads by the topics that carry them, for the documentation. */
export const payloads = {
  state: CellState,
  command: Command,
  answer: Answer,
  event: FleetEvent,
  ack: Ack,
  claim: Claim,
} as const satisfies Record<string, TSchema>

/** Containers inside one another, at most. */
const deepest = 32

/** What a result or the data of an event may be at most: the rest of the message has its place too. */
export const partLimits = { depth: deepest - 2, bytes: mostBytes - 16 * 1024 } as const

/** What is wrong with a message: a key of `fleetSentences`, with its values. */
export interface Unreadable {
  key: 'fleet-too-large' | 'fleet-no-json' | 'fleet-field' | 'fleet-no-object'
  values: Readonly<Record<string, string | number>>
}

/** What was read, or what is wrong with it. */
export type Reading<Read> = { value: Read; problem?: never } | { value?: never; problem: Unreadable }

/**
 * Reads a message of another program.
 * @param payload bytes, text, or the object that `mqtt in` has made of it
 */
export function readMessage<Schema extends TSchema>(
  schema: Schema,
  payload: unknown,
): Reading<Static<Schema>> {
  const parsed = parse(payload)
  if (parsed.problem) return parsed
  if (Value.Check(schema, parsed.value)) return { value: parsed.value }
  const field = Value.Errors(schema, parsed.value).First()?.path.slice(1).replaceAll('/', '.').slice(0, 100)
  return field ? problem('fleet-field', { field }) : problem('fleet-no-object')
}

const problem = (key: Unreadable['key'], values: Unreadable['values'] = {}) => ({ problem: { key, values } })

function parse(payload: unknown): Reading<unknown> {
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) return plain(payload)
  if (payload.length > mostBytes) return tooLarge()
  const bytes =
    typeof payload === 'string'
      ? Buffer.from(payload)
      : Buffer.from(payload.buffer, payload.byteOffset, payload.length)
  try {
    checkJson(bytes, deepest)
    return { value: JSON.parse(bytes.toString('utf8')) as unknown }
  } catch {
    return problem('fleet-no-json')
  }
}

const tooLarge = () => problem('fleet-too-large', { kilobytes: mostBytes / 1024 })

/** A copy of an object, which can be checked, kept and sent. */
function plain(payload: unknown): Reading<unknown> {
  try {
    return { value: plainJson(payload, { name: 'payload', depth: deepest, bytes: mostBytes }) }
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    const isLarge = error.key === 'json-too-large' || error.key === 'json-too-deep'
    return isLarge ? tooLarge() : problem('fleet-field', { field: error.path })
  }
}

/** The SHA-256 of a value in canonical JSON: names sorted, no spaces. In hexadecimal. */
export const fingerprintOf = (value: object): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex')

/** Deep nesting ends in a RangeError, as it does in JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]))
}
