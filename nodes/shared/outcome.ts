/** Outcomes of messages: properties, summaries, and how values appear in them. */
import { anyCodeOf } from './node-error'
import type { StatusWord } from './status'
import type { Parameter } from '../../lib/contract'
import { parameterUnit } from '../../lib/contract/reading/values'
import { summarize } from './sentences'

export type Properties = Record<string, unknown>

/** `working`: a step in progress. */
export type ResultState = 'done' | 'warning' | 'working' | 'failed'

/** Becomes `msg.vision`. */
export interface OutcomeSummary {
  /** One short sentence in Node-RED's language. */
  text: string
  value?: unknown
  /** @default 'done' */
  state?: ResultState
  /** From the device, or a stable code. @default 0 */
  code?: number | string
  /** In the status. @default 'done' */
  word?: StatusWord
}

export class NodeAnswer {
  constructor(
    readonly properties: Properties,
    readonly summary: OutcomeSummary,
    /** From 0. */
    readonly output = 0,
  ) {}
}

export class NoAnswer {
  /** Distinguishes it from plain properties, which a node may not return. */
  readonly sendsNothing = true

  constructor(
    /** Failure already reported to Catch. */
    readonly error?: unknown,
  ) {}
}

export type Outcome = NodeAnswer | NoAnswer

/** For dashboards; identical on all nodes. */
export interface VisionResult {
  text: string
  state: ResultState
  value: string | number | boolean | null
  code: number | string
  milliseconds: number
  /** ISO 8601, in UTC. */
  at: string
}

/** @param milliseconds duration of the work */
export const visionOf = (
  { text, value, state = 'done', code = 0 }: OutcomeSummary,
  milliseconds: number,
): VisionResult => ({
  text,
  state,
  value: isPlain(value) ? value : null,
  code,
  milliseconds: Math.round(milliseconds),
  at: new Date().toISOString(),
})

export const visionOfError = (error: Error, milliseconds: number): VisionResult =>
  visionOf({ text: error.message, state: 'failed', code: anyCodeOf(error) ?? 'failed' }, milliseconds)

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** `msg.parameter.fps.max` */
export const byName = <Shown>(records: readonly Parameter[], shown: (record: Parameter) => Shown) =>
  Object.fromEntries(records.map((record) => [record.name, shown(record)]))

export const itself = (record: Parameter) => record

/** `msg.parameter.dev_camera.fps.max` */
export const byNode = <Shown>(
  nodes: readonly { node: string; records: readonly Parameter[] }[],
  shown: (record: Parameter) => Shown,
) => Object.fromEntries(nodes.map(({ node, records }) => [node, byName(records, shown)]))

/** Values per line. */
const most = 3

/** Characters of a value. */
const longest = 60

/** `fps = 25 Hz` */
export function named(name: string, value: unknown, unit = ''): string {
  const whole = typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? '')
  const text = whole.length > longest ? `${whole.slice(0, longest)}…` : whole
  return `${name} = ${text}${unit && ` ${unit}`}`
}

/** Lists a few values; otherwise only their number. */
export function summarizeValues(lines: readonly string[], value?: unknown): OutcomeSummary {
  if (lines.length > 0 && lines.length <= most)
    return { text: lines.join(', '), value: value ?? lines.length }
  return summarize('result-values', { count: lines.length }, { value: lines.length })
}

export const summarizeParameters = (records: readonly Parameter[], value?: unknown): OutcomeSummary =>
  records.length > most
    ? summarize('result-values', { count: records.length }, { value: records.length })
    : summarizeValues(
        records.map((record) => named(record.name, record.value, parameterUnit(record))),
        value,
      )
