import type { StatusWord } from './status-word'

/** Message properties to set, by name or path. */
export type Properties = Record<string, unknown>

/** How a message stands: done, done with something to look at, a step of work that goes on, or not done. */
export type ResultState = 'done' | 'warning' | 'working' | 'failed'

/** What people are told of an outcome; it becomes `msg.vision`. */
export interface OutcomeSummary {
  /** One short sentence in the language of this Node-RED. */
  text: string
  /** The result as one plain value, where there is one. */
  value?: unknown
  /** @default 'done' */
  state?: ResultState
  /** A number of the device's, or a stable code. @default 0 */
  code?: number | string
  /** What the status of the node calls it. @default 'done' */
  word?: StatusWord
}

/** A message with the answer, and what people are told of it. */
export class NodeAnswer {
  constructor(
    readonly properties: Properties,
    readonly told: OutcomeSummary,
    /** From 0. */
    readonly output = 0,
  ) {}
}

/** Says that the message ends here: nothing is sent. */
export class NoAnswer {
  constructor(
    /** Why, where that is a failure that Catch has been told of before. */
    readonly error?: unknown,
  ) {}
}

/** How a message ends that the node has worked on. */
export type Outcome = NodeAnswer | NoAnswer
