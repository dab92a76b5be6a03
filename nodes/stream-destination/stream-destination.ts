import type { Node, NodeAPI, NodeDef } from 'node-red'
import { hostOf } from '../device/device'
import { fixedNames } from '../device/fixed-names'
import { onInput } from '../device/on-input'
import { onStream } from '../device/on-stream'
import { loadClient } from '../shared/load-later'
import { NodeAnswer } from '../shared/outcome'
import { actionOf } from './actions'
import { checkedFields } from '../shared/fields/checked-fields'
import { streamDestinationNode, type StreamDestinationFields } from './fields'
import { keep } from './keep'
import { toldDestinations } from './told-destinations'

export default (RED: NodeAPI) => {
  RED.nodes.registerType(
    'vision-stream-destination',
    function (this: Node, given: NodeDef & StreamDestinationFields) {
      RED.nodes.createNode(this, given)
      const fields = checkedFields(RED, this, streamDestinationNode, given)
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
            toldDestinations(stream, destinations),
          )
        },
        { names, changes: ({ msg }) => actionOf(fields.action, msg).changes },
      )
    },
  )
}
