import type { StatusWord } from './status-word'

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
