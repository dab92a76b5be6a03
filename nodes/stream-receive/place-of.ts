import type { Node, NodeAPI } from 'node-red'
import { environmentText } from '../shared/environment-text'
import { numberOf } from '../shared/fields/number-of'
import { streamReceiveNode, type StreamReceiveFields } from './fields'
import type { ListenAddress } from './listen'

/**
 * Where the node listens, and whose datagrams it accepts.
 * @throws INVALID_INPUT naming the field
 */
export function placeOf(RED: NodeAPI, node: Node, fields: StreamReceiveFields): ListenAddress {
  const text = (field: 'address' | 'hosts') => environmentText(RED, node, field, fields[field]).trim()
  const hosts = text('hosts')
    .split(',')
    .map((host) => host.trim())
    .filter(Boolean)
  const allow = { device: [], hosts, all: 'all' as const }[fields.from]
  return { address: text('address'), port: numberOf(streamReceiveNode, fields, 'port'), allow }
}
