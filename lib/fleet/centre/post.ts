import { topicOf, type CellName } from '../topics'

/** A message for the broker, with QoS 1. */
export interface Post {
  topic: string
  /** Empty: it deletes the retained message of its topic. */
  payload: object | ''
  retain: boolean
  responseTopic?: string
  correlationData?: string
  /** Seconds after which the broker drops it. */
  messageExpiryInterval?: number
}

/** What a centre needs of the time. A clock that is set must not make a cell seem gone. */
export interface Clock {
  /** Milliseconds of a clock that is never set. */
  steady: () => number
  /** Whole milliseconds since 1970. */
  wall: () => number
}

/** An acknowledgement of answers and events, which the cell then no longer repeats. */
export const ackOf = (cell: CellName, boot: string, seqs: readonly number[]): Post => ({
  topic: topicOf(cell, 'ack'),
  payload: { v: 1, boot, seqs },
  retain: false,
  messageExpiryInterval: 60,
})
