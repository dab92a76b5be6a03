import type { NodeAPI, NodeMessage } from 'node-red'
import type { NodeAnswer } from './outcome'
import { visionOf } from './vision-result'
import { invalidInput } from './sentences'

/** What Node-RED gives with a message for sending on. */
export type Send = (msg: NodeMessage | (NodeMessage | null)[]) => void

/**
 * Sends the message on with what the answer sets; throws where a property cannot be set.
 * @param milliseconds that it took
 */
export function deliver(
  RED: NodeAPI,
  send: Send,
  given: NodeMessage,
  { properties, told, output }: NodeAnswer,
  milliseconds: number,
): void {
  // A frozen one takes no property; its own stay as they are all the same.
  const msg = Object.isExtensible(given) ? given : { ...given }
  // First, so that an answer that the user puts there or below stays.
  msg['vision'] = visionOf(told, milliseconds)
  for (const [path, value] of Object.entries(properties)) setProperty(RED, msg, path, value)
  send(toOutput(output, msg))
}

/** A message for one output, from 0, in the shape that `send` takes. */
const toOutput = (output: number, msg: NodeMessage) =>
  output === 0 ? msg : [...Array<null>(output).fill(null), msg]

function setProperty(RED: NodeAPI, msg: NodeMessage, path: string, value: unknown) {
  if (/^\w+$/.test(path)) msg[path] = value
  else if (!set(RED, msg, path, value))
    throw invalidInput('bad-property', { field: 'property', property: path })
}

function set(RED: NodeAPI, msg: NodeMessage, path: string, value: unknown): boolean {
  try {
    return RED.util.setMessageProperty(msg, path, value, true)
  } catch {
    return false
  }
}
