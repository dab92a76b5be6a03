import type { Node, NodeAPI } from 'node-red'
import type { Device } from '../device/device'
import type { DeviceConfigFields, DeviceCredentials } from './fields'
import { nodeError } from './sentences'

export interface DeviceConfigNode extends Node<DeviceCredentials> {
  device: Device
  /** Its settings as they are deployed. */
  fields: DeviceConfigFields
  /** Nodes on the device by id: Node-RED hands a global config node's statuses and errors to their flows. */
  users: Record<string, Node>
}

/** A device that runs. */
export function deployedDevice(RED: NodeAPI, id: string): DeviceConfigNode | undefined {
  const node = RED.nodes.getNode(id) as DeviceConfigNode | null | undefined
  return node?.type === 'vision-device-config' ? node : undefined
}

/** @throws NOT_FOUND where no such device runs */
export function requireDevice(RED: NodeAPI, id: string): DeviceConfigNode {
  const node = deployedDevice(RED, id)
  if (!node) throw nodeError('NOT_FOUND', 'device-not-deployed', { id })
  return node
}

/** All devices that run, by the ids of their nodes. */
export function deployedDevices(RED: NodeAPI): Map<string, DeviceConfigNode> {
  const found = new Map<string, DeviceConfigNode>()
  RED.nodes.eachNode(({ id, type }) => {
    const device = type === 'vision-device-config' ? deployedDevice(RED, id) : undefined
    if (device) found.set(id, device)
  })
  return found
}
