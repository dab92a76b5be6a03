import { propertiesOf } from './message'
import { nested } from './nested'
import { objectIn } from './object-in'
import { ownBits } from './preset-lines'
import type { MessageProtocol } from './protocol'
import { single } from './single'

/** Any nodes: an object with the values by their names comes in, and goes out whole. */
export const any: MessageProtocol = {
  id: 'any',
  by: 'name',
  prefix: '',
  preset: ownBits,
  read: (message, wanted) => objectIn(propertiesOf(message)['payload'], wanted) ?? single(message, wanted),
  // The whole each time: the one message replaces the one before, and a lost one is repaired by the next beat.
  write: (items, isChanged) =>
    items.some(isChanged) ? [{ items, message: { payload: nested(items) } }] : [],
}

/** *mqtt in* and *mqtt out*, both with JSON. */
export const mqtt: MessageProtocol = {
  ...any,
  id: 'mqtt',
  read: (message, wanted) => {
    const { payload, retain } = propertiesOf(message)
    const reading = objectIn(parsed(payload), wanted)
    // The broker kept it from before the connection: nothing in it is asked now.
    return reading && retain === true ? { ...reading, fresh: true } : reading
  },
}

/** Longest text that is read as JSON. */
const longest = 1_000_000

function parsed(payload: unknown): unknown {
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) return payload
  if (payload.length > longest) return undefined
  try {
    return JSON.parse(typeof payload === 'string' ? payload : Buffer.from(payload).toString('utf8'))
  } catch {
    return undefined
  }
}
