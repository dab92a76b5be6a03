import type { NodeAPI, NodeMessage } from 'node-red'
import { visionOf, type NodeAnswer } from './outcome'
import { invalidInput } from './sentences'

/** The function that Node-RED passes for sending messages. */
export type Send = (msg: NodeMessage | (NodeMessage | null)[]) => void

/**
 * Sends the message with the properties of the answer; throws if a property cannot be set.
 * @param milliseconds duration of the work
 */
export function deliver(
  RED: NodeAPI,
  send: Send,
  given: NodeMessage,
  { properties, told, output }: NodeAnswer,
  milliseconds: number,
): void {
  // A frozen message accepts no property, so it is copied; its own properties stay.
  const msg = Object.isExtensible(given) ? given : { ...given }
  // Set first, so that an answer that the user puts into `vision` takes precedence.
  msg['vision'] = visionOf(told, milliseconds)
  for (const [path, value] of Object.entries(properties)) setProperty(RED, msg, path, value)
  send(toOutput(output, msg))
}

/** A message for one output, from 0, in the form that `send` takes. */
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
