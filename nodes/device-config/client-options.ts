import type { Node, NodeAPI } from 'node-red'
import type { ClientOptions } from '../../lib'
import { environmentText } from '../shared/read-fields'
import { spoken } from '../shared/node-error'
import type { DeviceClientOptions } from '../device/connection'
import { deviceNumbers } from './device-numbers'
import type { DeviceConfigFields, DeviceCredentials } from './fields'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('device-config')

interface TlsConfigNode extends Node {
  addTLSOptions: (options: object) => NonNullable<ClientOptions['tls']>
}

/**
 * The client options of the settings.
 * @throws INVALID_INPUT naming an invalid setting
 */
export function clientOptions(
  RED: NodeAPI,
  node: Node,
  fields: DeviceConfigFields,
  credentials: DeviceCredentials,
): DeviceClientOptions {
  const { atOnce, pace, deadline, connectDeadline, lateArrival } = deviceNumbers(fields)
  const address = environmentText(RED, node, 'address', fields.address).trim()
  if (!address) throw invalidInput('empty-field', { field: 'address' })
  return {
    address,
    name: node.name ?? '',
    format: fields.format,
    login: login(RED, node, fields.login, credentials),
    tls: tls(RED, fields.tls),
    deadline,
    connectDeadline,
    lateArrival,
    pace,
    concurrency: atOnce,
    // The queue is bounded in each node.
    queue: Number.MAX_SAFE_INTEGER,
    language: spoken(),
  }
}

function login(
  RED: NodeAPI,
  node: Node,
  kind: DeviceConfigFields['login'],
  credentials: DeviceCredentials,
): ClientOptions['login'] {
  const secret = (name: keyof DeviceCredentials) => {
    const value = environmentText(RED, node, name, credentials[name] ?? '')
    if (!value) throw invalidInput('empty-field', { field: name })
    return value
  }
  if (kind === 'password') return { user: secret('user'), password: secret('password') }
  if (kind === 'token') return { token: secret('token') }
  return undefined
}

function tls(RED: NodeAPI, id: string): ClientOptions['tls'] {
  if (!id) return undefined
  const node = RED.nodes.getNode(id) as TlsConfigNode | null | undefined
  if (typeof node?.addTLSOptions !== 'function') throw invalidInput('no-tls-settings')
  return node.addTLSOptions({})
}
