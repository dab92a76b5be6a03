import { sentencesIn } from '../kernel/sentences'
import type { Pose } from '../robotics'
import type en from './locales/en-US/reports.json'

/** What a value is before it is written as a PLC's type. */
type RowKind = 'bit' | 'number' | 'text' | 'any'

/**
 * The order in which the cell writes: results before the state that makes them valid, the echo of a number or a command
 * last. `life` may be written at any time.
 */
export type RowGroup = 'request' | 'result' | 'state' | 'echo' | 'life'

/** The groups that the cell writes, in writing order. */
export const writingOrder = ['result', 'state', 'echo', 'life'] as const satisfies readonly RowGroup[]

/**
 * What happens to a number outside its type's range: a counter restarts at 0 (`wraps`), a duration stays at the highest
 * value (`saturates`), and any other value is an error, never another number (`exact`).
 */
export type RowRange = 'wraps' | 'saturates' | 'exact'

/** One meaning that a map gives an address or a name. */
export interface Row {
  /** Who writes it. */
  from: 'plc' | 'cell'
  kind: RowKind
  group: RowGroup
  /** @default 'exact' */
  range?: RowRange
  /** Whether there are several, distinguished by `index` (from 1): arguments, poses. */
  indexed?: true
  /** Whether it has components, distinguished by `component` (from 1): the numbers of a pose in its format. */
  components?: true
  /** Whether it is read from the message that ends the cycle, at `path`. */
  path?: true
}

/** Every meaning that a map can hold. */
export const rows = {
  /** Bit of families with edges: trigger, EXE. */
  trigger: { from: 'plc', kind: 'bit', group: 'request' },
  /** Command code; 0 requests nothing. */
  command: { from: 'plc', kind: 'number', group: 'request' },
  /** Sequence number: each new number is a request, 0 requests nothing. */
  sequence: { from: 'plc', kind: 'number', group: 'request' },
  /** Triggers count only while it is set. */
  enable: { from: 'plc', kind: 'bit', group: 'request' },
  /** The PLC has taken the results. */
  resultsAck: { from: 'plc', kind: 'bit', group: 'request' },
  /** Ends the cycle at once; what the device does is unknown. */
  abort: { from: 'plc', kind: 'bit', group: 'request' },
  /** Resets error and code. */
  clearError: { from: 'plc', kind: 'bit', group: 'request' },
  /** Job or recipe, latched with the request. */
  job: { from: 'plc', kind: 'number', group: 'request' },
  /** Arguments 1, 2, … of the request, latched with it. */
  argument: { from: 'plc', kind: 'number', group: 'request', indexed: true },
  /** Changes while the PLC's program runs: a counter … */
  plcLife: { from: 'plc', kind: 'number', group: 'request' },
  /** … or a bit that toggles. */
  plcLifeBit: { from: 'plc', kind: 'bit', group: 'request' },
  /** Permits a trigger by hand in the editor. */
  manualAllowed: { from: 'plc', kind: 'bit', group: 'request' },

  ready: { from: 'cell', kind: 'bit', group: 'state' },
  busy: { from: 'cell', kind: 'bit', group: 'state' },
  done: { from: 'cell', kind: 'bit', group: 'state' },
  error: { from: 'cell', kind: 'bit', group: 'state' },
  /** The trigger was accepted; remains set until the PLC resets it. */
  triggerAck: { from: 'cell', kind: 'bit', group: 'state' },
  /** A trigger arrived that was not executed; remains set until the next one that is executed. */
  missed: { from: 'cell', kind: 'bit', group: 'state' },
  /** Done or error: the answer is complete. */
  answered: { from: 'cell', kind: 'bit', group: 'state' },
  /** Code and results belong to a successful cycle and stand. */
  resultsValid: { from: 'cell', kind: 'bit', group: 'state' },
  /** The device can be reached and accepts triggers. */
  online: { from: 'cell', kind: 'bit', group: 'state' },
  /** Why not, 0 to 7: see `offlineReasons`. */
  offlineReason: { from: 'cell', kind: 'number', group: 'state' },
  /** Number of the last request that was answered. */
  sequenceEcho: { from: 'cell', kind: 'number', group: 'echo' },
  /** The command in progress, until it has ended and the PLC requests nothing. */
  commandEcho: { from: 'cell', kind: 'number', group: 'echo' },

  /** 0 is done, any other value says why not: see `codes`. */
  code: { from: 'cell', kind: 'number', group: 'result' },
  /** Successful cycles. */
  counter: { from: 'cell', kind: 'number', group: 'result', range: 'wraps' },
  /** Number of the last accepted trigger: 1, 2, … */
  acquisitionId: { from: 'cell', kind: 'number', group: 'result', range: 'wraps' },
  /** Milliseconds from the trigger to the answer. */
  duration: { from: 'cell', kind: 'number', group: 'result', range: 'saturates' },
  /** The job that the results belong to. */
  jobEcho: { from: 'cell', kind: 'number', group: 'result' },
  /** Triggers that were not executed. */
  missedCount: { from: 'cell', kind: 'number', group: 'state', range: 'wraps' },
  /** How many results there are. */
  count: { from: 'cell', kind: 'number', group: 'result' },
  score: { from: 'cell', kind: 'number', group: 'result' },
  /** An image set of this trigger arrived: without it, nothing proves that a frame was taken. */
  imageProven: { from: 'cell', kind: 'bit', group: 'result' },
  /** Component of the pose of result `index`. */
  pose: { from: 'cell', kind: 'number', group: 'result', indexed: true, components: true },
  /** Any property of the message. */
  property: { from: 'cell', kind: 'any', group: 'result', path: true },
  /** Incremented at each beat. */
  life: { from: 'cell', kind: 'number', group: 'life', range: 'wraps' },
  /** Toggles at each beat. */
  lifeBit: { from: 'cell', kind: 'bit', group: 'life' },
} as const satisfies Record<string, Row>

export type RowName = keyof typeof rows

type NamesOf<Part> = { [Name in RowName]: (typeof rows)[Name] extends Part ? Name : never }[RowName]

/** Rows that consist of several values, or hold one of any kind. */
type Compound = NamesOf<{ indexed: true }> | NamesOf<{ path: true }>

type ValueOf<Name extends RowName> = (typeof rows)[Name]['kind'] extends 'bit' ? boolean : number

/** Rows that the PLC writes, and rows that the cell writes. */
type PlcRowName = NamesOf<{ from: 'plc' }>

type CellRowName = NamesOf<{ from: 'cell' }>

/** The values read from the PLC: only the rows in the map. */
export type PlcInputs = { readonly [Name in Exclude<PlcRowName, Compound>]?: ValueOf<Name> } & {
  /** Arguments 1, 2, … in order. */
  readonly argument?: readonly number[]
}

/** Rows that hold results of a cycle. */
const dataRows = [
  'count',
  'score',
  'imageProven',
  'pose',
  'property',
] as const satisfies readonly CellRowName[]

type DataRowName = (typeof dataRows)[number]

export const isDataRow = (row: RowName): row is DataRowName => (dataRows as readonly RowName[]).includes(row)

/** The results of a cycle, for the rows of `dataRows`. Survives JSON. */
export interface CellData {
  readonly count?: number
  readonly score?: number
  /** Whether an image set of the trigger arrived. */
  readonly proven?: boolean
  /** Metres; written in the format that the map names. */
  readonly poses?: readonly Pose[]
  /** The message that ended the cycle, for the rows `property`. */
  readonly message?: unknown
}

/** The PLC's memory after a write: every row, whether or not the map has it. */
export type CellOutputs = {
  readonly [Name in Exclude<CellRowName, Compound | DataRowName>]: ValueOf<Name>
} & {
  readonly data: CellData
}

/** Types of values in the PLC. */
export const plcTypes = ['bit', 'INT', 'UINT', 'DINT', 'UDINT', 'REAL', 'STRING', 'bytes'] as const

export type PlcType = (typeof plcTypes)[number]

/** The place of a row in the default map of a family: a line of the map before any changes. */
export interface DefaultLine {
  row: RowName
  /** Argument or pose, from 1; for indexed rows. */
  index?: number
  /** Number of the pose, from 1. */
  component?: number
  /** Word within the one block of both sides' words. */
  address: number
  /** 0 to 15, for the type `bit`. */
  bit?: number
  type: PlcType
}

const texts = sentencesIn<typeof en>(__dirname)

/** What a row means, for a person: a few words, and after a semicolon what they mean in detail. */
export const rowText = (row: RowName, language?: string): string => texts.say(`row-${row}`, {}, language)

/** The meaning alone, without the detail. */
export const shortRowText = (row: RowName, language?: string): string =>
  rowText(row, language).split(';')[0] ?? row

/** Memory that both sides can write: what the connection names, or other memory of the PLC. */
export type SharedArea = 'registers' | 'coils' | OwnArea

/** Memory by the PLC's own name for it, such as `words DB2` or `bits M`. */
export type OwnArea = `words ${string}` | `bits ${string}`

/** A word, or a coil, that the cell writes. */
export interface CellWord {
  area: SharedArea
  address: number
  /** 0 to 65535; 0 and 1 for a coil. */
  value: number
  /** Says when it is written: results before the state that makes them valid. */
  group: RowGroup
}
