import { Type, type Static, type TSchema } from '../typebox'
import { namePattern } from './topics'
import { sentencesIn } from '../kernel/sentences'
import type en from './locales/en-US/sentences.json'

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
