import type { NodeMessage } from 'node-red'
import type { CellName, CellState } from '../../lib/fleet/messages'
import type { Outgoing } from '../../lib/fleet/agent/journal'
import { loadFleet } from '../shared/load-later'

/** Seconds after which the broker drops an answer that nobody fetched; it is repeated anyway. */
const answerExpiry = 3600

/** A message for `mqtt out`. */
const published = (topic: string, body: object, more: object): NodeMessage => ({
  ...{ topic, payload: JSON.stringify(body), qos: 1, retain: false, contentType: 'application/json' },
  ...more,
})

/** An answer or an event of a cell. */
export function answerMessage(cell: CellName, message: Outgoing): NodeMessage {
  const { topicOf } = loadFleet()
  const { kind, body } = message
  const topic = (kind === 'answer' && message.replyTo) || topicOf(cell, kind)
  return published(topic, body, {
    messageExpiryInterval: answerExpiry,
    ...(kind === 'answer' && { correlationData: Buffer.from(message.body.id) }),
  })
}

/** A message of a cell to itself, by way of the broker. @param lasts seconds */
export const echoMessage = (cell: CellName, echo: object, lasts: number): NodeMessage =>
  published(loadFleet().topicOf(cell, 'here'), echo, { messageExpiryInterval: lasts })

/** Deletes the retained state of a cell: it leaves the fleet. */
export const leavingMessage = (cell: CellName): NodeMessage => ({
  ...{ topic: loadFleet().topicOf(cell, 'state'), payload: '', qos: 1, retain: true },
})

/** The retained state of a cell. */
export const stateMessage = (cell: CellName, state: CellState): NodeMessage =>
  published(loadFleet().topicOf(cell, 'state'), state, {
    retain: true,
    messageExpiryInterval: state.expires,
  })
