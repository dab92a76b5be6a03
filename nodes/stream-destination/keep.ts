import type { Node, NodeAPI } from 'node-red'
import { aborted, handleInput } from '../shared/handle-input'
import { deviceOf, hostOf } from '../device/device'
import type { FixedNames } from '../device/fixed-names'
import { keepListed, streamRecord } from '../device/on-stream'
import { onDeploy, trouble } from '../device/on-deploy'
import { loadClient } from '../shared/load-later'
import { NodeAnswer } from '../shared/outcome'
import { retryForever } from '../shared/retry-forever'
import type { StatusWord } from '../shared/status'
import { streamDestinationNode, type StreamDestinationFields } from './fields'
import { toldDestinations } from './told-destinations'
import { invalidInput } from '../shared/sentences'

/** Keeps the destination listed while the flow is deployed; a message is answered with the present destinations. */
export function keep(RED: NodeAPI, node: Node, fields: StreamDestinationFields, names: FixedNames): void {
  let [stream, destination] = ['', '']

  onDeploy(
    RED,
    node,
    fields,
    async ({ device, name, signal, show, showLink, onLink }) => {
      stream = name('stream')
      const given = name('destination')
      const told = trouble(node, device, { show, showLink })
      const found = await retryForever(signal, told.failed, async () => {
        await streamRecord(device, stream, signal)
        return loadClient().streams.readDestination(given, hostOf(device))
      })
      if (found === undefined) return
      destination = found

      let word: StatusWord | undefined
      const look = () => {
        if (word && device.link.state === 'ready') show(word)
        else showLink()
      }
      const onChange = (error?: Error) => {
        word = error ? told.listed(error) : 'destinationKept'
        look()
      }
      const kept = keepListed({ node, device, stream, destination, signal, onChange })
      onLink((state) => {
        // It may have restarted, and has then lost its destinations.
        if (state === 'ready') kept.look()
        look()
      })
      await aborted(signal)
      await kept.end()
    },
    names,
  )

  const handling = { atOnce: 1, room: 100, changes: () => false }
  handleInput(RED, node, streamDestinationNode, handling, async (_msg, { signal }) => {
    const device = deviceOf(RED, fields.device)
    if (!device) throw invalidInput('no-device')
    const { destinations } = await streamRecord(device.connection, stream, signal)
    return new NodeAnswer(
      { payload: destinations, stream, destination },
      toldDestinations(stream, destinations),
    )
  })
}
