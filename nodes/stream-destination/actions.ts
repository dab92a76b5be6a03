import type { NodeMessage } from 'node-red'
import type { Client } from '../../lib'
import type { Stream } from '../../lib/contract'
import { shown } from '../shared/shown'
import type { StreamAction } from './fields'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('stream-destination')

/** One call to the device. @returns the record of the stream after it */
type DestinationCall = (
  client: Client,
  input: { stream: string; destination: string },
  signal: AbortSignal,
) => Promise<Stream>

const acts = {
  add: (client, input, signal) => client.addDestination(input, { signal }),
  remove: (client, input, signal) => client.removeDestination(input, { signal }),
  clear: (client, { stream }, signal) => client.removeDestination({ stream }, { signal }),
  list: (client, { stream }, signal) => client.getStream({ stream }, { signal }),
} satisfies Record<string, DestinationCall>

type Action = keyof typeof acts

/**
 * The action for a message.
 * @throws INVALID_INPUT if `msg.action` decides and is not an action
 */
export function actionOf(chosen: StreamAction, msg: NodeMessage & { action?: unknown }) {
  const action = chosen === 'message' ? msg.action : chosen
  if (action === undefined || action === '') throw invalidInput('empty-field', { field: 'msg.action' })
  if (typeof action !== 'string' || !Object.hasOwn(acts, action)) {
    const named = typeof action === 'string' ? action.slice(0, 40) : shown(action)
    throw invalidInput('stream-action', { action: named, known: Object.keys(acts).join(', ') })
  }
  return {
    act: acts[action as Action] satisfies DestinationCall,
    hasDestination: ['add', 'remove'].includes(action),
    changes: action !== 'list',
  }
}
