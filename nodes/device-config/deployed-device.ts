import type { Node, NodeAPI } from 'node-red'
import type { Device } from '../device/device'
import type { DeviceConfigFields, DeviceCredentials } from './fields'
import { sentencesOf } from '../sentences'

const { nodeError } = sentencesOf('device-config')

export interface DeviceConfigNode extends Node<DeviceCredentials> {
  device: Device
  /** The deployed settings. */
  fields: DeviceConfigFields
  /**
   * Nodes that use the device, by id: Node-RED passes the statuses and errors of a global config node to their flows.
   */
  users: Record<string, Node>
}

/** A running device. */
export function deployedDevice(RED: NodeAPI, id: string): DeviceConfigNode | undefined {
  const node = RED.nodes.getNode(id) as DeviceConfigNode | null | undefined
  return node?.type === 'vision-device-config' ? node : undefined
}

/** @throws NOT_FOUND if no such device runs */
export function requireDevice(RED: NodeAPI, id: string): DeviceConfigNode {
  const node = deployedDevice(RED, id)
  if (!node) throw nodeError('NOT_FOUND', 'device-not-deployed', { id })
  return node
}

/** All running devices, by the ids of their nodes. */
export function deployedDevices(RED: NodeAPI): Map<string, DeviceConfigNode> {
  const found = new Map<string, DeviceConfigNode>()
  RED.nodes.eachNode(({ id, type }) => {
    const device = type === 'vision-device-config' ? deployedDevice(RED, id) : undefined
    if (device) found.set(id, device)
  })
  return found
}
