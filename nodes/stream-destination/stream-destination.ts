/** The node *stream destination*. In: a command. Out: the destinations of a stream. */
import type { Node, NodeAPI, NodeMessage, NodeDef } from 'node-red'
import { type OutcomeSummary, NodeAnswer } from '../shared/outcome'
import { sentencesOf } from '../sentences'
import { aborted, handleInput } from '../shared/handle-input'
import { deviceOf, hostOf } from '../device/device'
import { type FixedNames, fixedNames } from '../device/known-nodes'
import { keepListed, streamRecord, onStream } from '../device/on-stream'
import { onDeploy, trouble } from '../device/on-deploy'
import { loadClient } from '../shared/load-later'
import { retryForever } from '../shared/retry-forever'
import type { StatusWord } from '../shared/status'
import { streamDestinationNode, type StreamDestinationFields, type StreamAction } from './fields'
import type { Client } from '../../lib'
import type { Stream } from '../../lib/contract'
import { shown } from '../shared/shown'
import { onInput } from '../device/on-input'
import { checkedFields } from '../shared/fields/checked-fields'

const { summarize, invalidInput } = sentencesOf('stream-destination')

const summaryOf = (stream: string, { length: count }: readonly string[]): OutcomeSummary =>
  summarize('result-destinations', { stream, count }, { value: count })

/** While deployed; a message returns the present destinations. */
function keep(RED: NodeAPI, node: Node, fields: StreamDestinationFields, names: FixedNames): void {
  let [stream, destination] = ['', '']

  onDeploy(
    RED,
    node,
    fields,
    async ({ device, name, signal, show, showLink, onLink }) => {
      stream = name('stream')
      const given = name('destination')
      const { failed, listed } = trouble(node, device, { show, showLink })
      const found = await retryForever(signal, failed, async () => {
        await streamRecord(device, stream, signal)
        return loadClient().streams.readDestination(given, hostOf(device))
      })
      if (found === undefined) return
      destination = found

      let word: StatusWord | undefined
      const check = () => {
        if (word && device.link.state === 'ready') show(word)
        else showLink()
      }
      const onChange = (error?: Error) => {
        word = error ? listed(error) : 'destinationKept'
        check()
      }
      const listing = keepListed({ node, device, stream, destination, signal, onChange })
      onLink((state) => {
        // A restarted device has lost its destinations.
        if (state === 'ready') listing.check()
        check()
      })
      await aborted(signal)
      await listing.end()
    },
    names,
  )

  const handling = { atOnce: 1, room: 100, changes: () => false }
  handleInput(RED, node, streamDestinationNode, handling, async (_msg, { signal }) => {
    const device = deviceOf(RED, fields.device)
    if (!device) throw invalidInput('no-device')
    const { destinations } = await streamRecord(device.connection, stream, signal)
    return new NodeAnswer({ payload: destinations, stream, destination }, summaryOf(stream, destinations))
  })
}

/** @returns the stream's record after the call */
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

/** @throws INVALID_INPUT if `msg.action` is not an action */
function actionOf(chosen: StreamAction, msg: NodeMessage & { action?: unknown }) {
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

export default (RED: NodeAPI) => {
  RED.nodes.registerType(
    'vision-stream-destination',
    function (this: Node, config: NodeDef & StreamDestinationFields) {
      RED.nodes.createNode(this, config)
      const fields = checkedFields(RED, this, streamDestinationNode, config)
      if (!fields) return
      const names = fixedNames(RED, this, streamDestinationNode, fields)
      if (fields.action === 'keep') {
        keep(RED, this, fields, names)
        return
      }

      onInput(
        RED,
        this,
        streamDestinationNode,
        fields,
        async ({ msg, device, name, signal }) => {
          const { act, hasDestination } = actionOf(fields.action, msg)
          const stream = name('stream')
          const wanted = hasDestination ? name('destination') : ''
          const { destinations, destination } = await onStream(device, stream, signal, async () => {
            const found = hasDestination
              ? await loadClient().streams.readDestination(wanted, hostOf(device))
              : undefined
            const record = await act(device.client, { stream, destination: found ?? '' }, signal)
            return { ...record, destination: found }
          })
          return new NodeAnswer(
            { payload: destinations, stream, ...(destination && { destination }) },
            summaryOf(stream, destinations),
          )
        },
        { names, changes: ({ msg }) => actionOf(fields.action, msg).changes },
      )
    },
  )
}
