import { anyCodeOf } from './node-error'
import type { StatusWord } from './status'

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
