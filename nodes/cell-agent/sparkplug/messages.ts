import type { NodeMessage } from 'node-red'
import type { EdgeConnection } from '../../../lib/fleet/sparkplug/edge-node'
import { isObject } from '../../shared/is-object'

/** Asks `mqtt out` to end its connection; if it has one, it publishes the death first. */
export const leaveMessage = (agent: string, request: number): NodeMessage => ({
  action: 'disconnect',
  sparkplug: { agent, request },
})

/**
 * Asks `mqtt out` to connect with this last will. No `force`: Node-RED would end if the node were deployed anew while it
 * waits for the end of the old connection.
 */
export function connectMessage(agent: string, { number, topic, payload }: EdgeConnection): NodeMessage {
  const death = { topic, payload, retain: false }
  return {
    action: 'connect',
    broker: { will: { ...death, qos: 1 }, close: { ...death, qos: 0 } },
    sparkplug: { agent, connection: number },
  }
}

/** For `mqtt out`: nothing of Sparkplug is retained. */
export const sparkplugMessage = (topic: string, payload: Buffer): NodeMessage => ({
  topic,
  payload,
  qos: 0,
  retain: false,
  sparkplug: {},
})

/** What the nodes around `mqtt out` tell. */
export type LinkNews = { kind: 'left' | 'connected'; number: number } | { kind: 'up' | 'down' | 'other' }

/** Reads the messages of *status* and *complete* nodes that look at `mqtt out`; undefined for any other. */
export function linkNewsIn(agent: string, msg: object): LinkNews | undefined {
  const { status, sparkplug } = msg as Record<string, unknown>
  if (isObject(sparkplug)) {
    const { request, connection } = sparkplug
    if (sparkplug['agent'] !== agent) return { kind: 'other' }
    if (typeof request === 'number') return { kind: 'left', number: request }
    return typeof connection === 'number' ? { kind: 'connected', number: connection } : { kind: 'other' }
  }
  if (!isObject(status) || !isObject(status['source'])) return undefined
  const { type } = status['source']
  if (type !== 'mqtt out' && type !== 'mqtt in') return undefined
  switch (status['text']) {
    case 'node-red:common.status.connected':
      return { kind: 'up' }
    case 'node-red:common.status.disconnected':
      return { kind: 'down' }
    default:
      return { kind: 'other' }
  }
}
