/** Outcomes of messages: what is sent, its summary for people, and how values and parameters are shown in it. */
import { anyCodeOf } from './node-error'
import type { StatusWord } from './status'
import type { Parameter } from '../../lib/contract'
import { parameterUnit } from '../../lib/contract/reading/values'
import { summarize } from './sentences'

/** Message properties to set, by name or path. */
export type Properties = Record<string, unknown>

/** The state of a message: done, done with a warning, a step of work in progress, or failed. */
export type ResultState = 'done' | 'warning' | 'working' | 'failed'

/** Summary of an outcome for people; becomes `msg.vision`. */
export interface OutcomeSummary {
  /** One short sentence in the language of this Node-RED. */
  text: string
  /** The result as one plain value, if there is one. */
  value?: unknown
  /** @default 'done' */
  state?: ResultState
  /** A number of the device's, or a stable code. @default 0 */
  code?: number | string
  /** The word for it in the node's status. @default 'done' */
  word?: StatusWord
}

/** Sends a message with the answer, and shows its summary. */
export class NodeAnswer {
  constructor(
    readonly properties: Properties,
    readonly told: OutcomeSummary,
    /** Output, from 0. */
    readonly output = 0,
  ) {}
}

/** Ends the message without sending anything. */
export class NoAnswer {
  /** Tells it from plain properties, which a node may not return. */
  readonly sendsNothing = true

  constructor(
    /** The reason, if it is a failure that was reported to Catch before. */
    readonly error?: unknown,
  ) {}
}

/** How a processed message ends. */
export type Outcome = NodeAnswer | NoAnswer

/** What a dashboard can show of a message directly; identical on all nodes. */
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

/** Records as an object, which a flow reads as `msg.parameter.fps.max`. */
export const byName = <Shown>(records: readonly Parameter[], shown: (record: Parameter) => Shown) =>
  Object.fromEntries(records.map((record) => [record.name, shown(record)]))

export const itself = (record: Parameter) => record

/** The same for several nodes, `msg.parameter.dev_camera.fps.max`. */
export const byNode = <Shown>(
  nodes: readonly { node: string; records: readonly Parameter[] }[],
  shown: (record: Parameter) => Shown,
) => Object.fromEntries(nodes.map(({ node, records }) => [node, byName(records, shown)]))

/** Most values in one line. */
const most = 3

/** Longest value in a line, in characters. */
const longest = 60

/** A name and its value for a line: `fps = 25 Hz`. */
export function named(name: string, value: unknown, unit = ''): string {
  const whole = typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? '')
  const text = whole.length > longest ? `${whole.slice(0, longest)}…` : whole
  return `${name} = ${text}${unit && ` ${unit}`}`
}

/** A few values in a line; for more, only their number. */
export function summarizeValues(lines: readonly string[], value?: unknown): OutcomeSummary {
  if (lines.length > 0 && lines.length <= most)
    return { text: lines.join(', '), value: value ?? lines.length }
  return summarize('result-values', { count: lines.length }, { value: lines.length })
}

/** Parameters with their present values on the device. */
export const summarizeParameters = (records: readonly Parameter[], value?: unknown): OutcomeSummary =>
  records.length > most
    ? summarize('result-values', { count: records.length }, { value: records.length })
    : summarizeValues(
        records.map((record) => named(record.name, record.value, parameterUnit(record))),
        value,
      )
