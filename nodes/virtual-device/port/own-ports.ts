import type { Node } from 'node-red'

/** Where the virtual devices of this Node-RED listen. */
const ports = new Map<Node, number>()

/** Notes where the device of a node listens; without a port it does not. */
export function noteOwnPort(node: Node, port?: number): void {
  if (port === undefined) ports.delete(node)
  else ports.set(node, port)
}

/** Whether the device of that very node has the port; of a node in a subflow, that of any of its instances. */
export const isOwnPort = (id: string, port: number): boolean =>
  [...ports].some(([node, taken]) => taken === port && (node.id === id || aliasOf(node) === id))

const aliasOf = (node: Node) => (node as Node & { _alias?: string })._alias
