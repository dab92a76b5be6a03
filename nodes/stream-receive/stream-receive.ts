/** The node *stream receive*. In: a data stream. Out: decoded messages at the chosen rate. */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { fixedNames } from '../device/known-nodes'
import { onDeploy } from '../device/on-deploy'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { streamReceiveNode, type StreamReceiveFields } from './fields'
import { type ListenAddress, receive } from './receive'
import type { Pacing } from '../../lib/streams/pacing'
import { invalidInput } from '../shared/sentences'
import { environmentText } from '../shared/read-fields'

export default (RED: NodeAPI) => {
  RED.nodes.registerType(
    'vision-stream-receive',
    function (this: Node, config: NodeDef & StreamReceiveFields) {
      RED.nodes.createNode(this, config)
      const fields = checkedFields(RED, this, streamReceiveNode, config)
      if (!fields) return

      onDeploy(
        RED,
        this,
        fields,
        async (standing) => {
          const wanted = {
            stream: standing.name('stream'),
            place: placeOf(RED, this, fields),
            pacing: pacingOf(fields),
            keeps: fields.destination === 'keep',
            statistics: numberOf(streamReceiveNode, fields, 'statistics'),
          }
          // The local address towards the device may change.
          while (!standing.signal.aborted) await receive(this, standing, wanted)
        },
        fixedNames(RED, this, streamReceiveNode, fields),
      )
    },
  )
}

/** @throws INVALID_INPUT naming the field */
function pacingOf(fields: StreamReceiveFields): Pacing {
  if (fields.output === 'rate') return { send: 'rate', rate: numberOf(streamReceiveNode, fields, 'rate') }
  if (fields.output !== 'batch') return { send: 'every' }
  const count = numberOf(streamReceiveNode, fields, 'count')
  const seconds = numberOf(streamReceiveNode, fields, 'seconds')
  if (count === undefined && seconds === undefined) throw invalidInput('empty-field', { field: 'count' })
  return { send: 'batch', ...(count !== undefined && { count }), ...(seconds !== undefined && { seconds }) }
}

/** @throws INVALID_INPUT naming the field */
function placeOf(RED: NodeAPI, node: Node, fields: StreamReceiveFields): ListenAddress {
  const text = (field: 'address' | 'hosts') => environmentText(RED, node, field, fields[field]).trim()
  const hosts = text('hosts')
    .split(',')
    .map((host) => host.trim())
    .filter(Boolean)
  const allow = { device: [], hosts, all: 'all' as const }[fields.from]
  return { address: text('address'), port: numberOf(streamReceiveNode, fields, 'port'), allow }
}
