import type { Node, NodeAPI } from 'node-red'
import type { Device } from './device'

/** The device of a config node; undefined if it is missing or disabled. */
export function deviceOf(RED: NodeAPI, id: string): Device | undefined {
  const node = RED.nodes.getNode(id) as (Node & { device: Device }) | null | undefined
  return node?.type === 'vision-device-config' ? node.device : undefined
}
