import type { Node, NodeAPI } from 'node-red'
import type { DeployedHandshake } from './deployed-handshake'

/** The handshake of a config node; undefined where it is missing or disabled. */
export function handshakeOf(RED: NodeAPI, id: string): DeployedHandshake | undefined {
  const node = RED.nodes.getNode(id) as (Node & { handshake: DeployedHandshake }) | null | undefined
  return node?.type === 'vision-plc-handshake' ? node.handshake : undefined
}
