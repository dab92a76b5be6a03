import type { Node } from 'node-red'

/** The ports of the virtual devices of this Node-RED. */
const ports = new Map<Node, number>()

/** Records the port of a node's device; without a port, removes it. */
export function noteOwnPort(node: Node, port?: number): void {
  if (port === undefined) ports.delete(node)
  else ports.set(node, port)
}

/** Whether the port belongs to the device of this node; for a node in a subflow, of any of its instances. */
export const isOwnPort = (id: string, port: number): boolean =>
  [...ports].some(([node, taken]) => taken === port && (node.id === id || aliasOf(node) === id))

const aliasOf = (node: Node) => (node as Node & { _alias?: string })._alias
