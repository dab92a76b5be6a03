/** The deployed devices: their settings, and what is known about them without asking. */
import type { Node, NodeAPI } from 'node-red'
import type { Device } from '../device/device'
import { type DeviceConfigFields, type DeviceCredentials, deviceConfigNode } from './fields'
import { sentencesOf } from '../sentences'
import { numberOf } from '../shared/fields/checked-fields'
import type { ClientOptions } from '../../lib'
import { environmentText } from '../shared/read-fields'
import { currentLanguage } from '../shared/node-error'
import type { DeviceClientOptions } from '../device/connection'
import type { LinkState } from '../shared/status'
import { typedAddress } from '../../lib/contract/reading/address'
import { refusalOf } from '../shared/admin'

const { nodeError, invalidInput } = sentencesOf('device-config')

export interface DeviceConfigNode extends Node<DeviceCredentials> {
  device: Device
  fields: DeviceConfigFields
  /**
   * Nodes that use the device, by id: Node-RED passes the statuses and errors of a global config node to their flows.
   */
  users: Record<string, Node>
}

export function deployedDevice(RED: NodeAPI, id: string): DeviceConfigNode | undefined {
  const node = RED.nodes.getNode(id) as DeviceConfigNode | null | undefined
  return node?.type === 'vision-device-config' ? node : undefined
}

/** @throws NOT_FOUND if it is not deployed */
export function requireDevice(RED: NodeAPI, id: string): DeviceConfigNode {
  const node = deployedDevice(RED, id)
  if (!node) throw nodeError('NOT_FOUND', 'device-not-deployed', { id })
  return node
}

export function deployedDevices(RED: NodeAPI): Map<string, DeviceConfigNode> {
  const found = new Map<string, DeviceConfigNode>()
  RED.nodes.eachNode(({ id, type }) => {
    const device = type === 'vision-device-config' ? deployedDevice(RED, id) : undefined
    if (device) found.set(id, device)
  })
  return found
}

/** Each number may come from an environment variable, and is then a text. */
export const deviceNumbers = (fields: DeviceConfigFields) => ({
  atOnce: numberOf(deviceConfigNode, fields, 'concurrency'),
  room: numberOf(deviceConfigNode, fields, 'queue'),
  /** Requests per second. */
  pace: numberOf(deviceConfigNode, fields, 'pace'),

  imagePort: numberOf(deviceConfigNode, fields, 'imagePort'),
  /** Seconds. */
  healthInterval: numberOf(deviceConfigNode, fields, 'healthInterval'),
  /** Seconds. */
  metricsInterval: numberOf(deviceConfigNode, fields, 'metricsInterval'),
  /** Milliseconds. */
  deadline: Math.round(1000 * numberOf(deviceConfigNode, fields, 'deadline')),
  /** Milliseconds. */
  connectDeadline: Math.round(1000 * numberOf(deviceConfigNode, fields, 'connectDeadline')),
  /** Milliseconds. */
  lateArrival: Math.round(1000 * numberOf(deviceConfigNode, fields, 'gatewayDelay')),
})

interface TlsConfigNode extends Node {
  addTLSOptions: (options: object) => NonNullable<ClientOptions['tls']>
}

/** @throws INVALID_INPUT naming an invalid setting */
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
    language: currentLanguage(),
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

export interface DeviceState {
  /** `unwatched`: no node uses it, so it is not monitored. */
  state: LinkState | 'unwatched'
  /** Empty if ready or unknown. */
  reason: string
  /** Its address as it may be shown, with the values of environment variables. */
  address: string
}

export type DeviceStates = Record<string, DeviceState>

export function deviceStates(RED: NodeAPI, language?: string): DeviceStates {
  const states: DeviceStates = {}
  for (const [id, node] of deployedDevices(RED)) {
    const { device } = node
    const { isWatched, state, trouble } = device
    states[id] = {
      state: isWatched ? state : 'unwatched',
      reason: isWatched && trouble ? refusalOf(trouble, language).body.message : '',
      address: addressOf(RED, node),
    }
  }
  return states
}

/** As typed if it names an unknown variable. A login is removed after variables are replaced. */
export function addressOf(RED: NodeAPI, node: DeviceConfigNode): string {
  const typed = node.fields.address.trim()
  let address = typed
  try {
    address = environmentText(RED, node, 'address', typed)
  } catch {
    // The reason says which variable is missing.
  }
  return typedAddress(address).shown
}
