import type { NodeAPI, NodeDef } from 'node-red'

/** A node as the flow has it. */
export interface FlowNode extends NodeDef {
  wires?: string[][]
  /** Disabled. */
  d?: boolean
}

/** All nodes of all flows. */
export function flowNodes(RED: NodeAPI): FlowNode[] {
  const nodes: FlowNode[] = []
  RED.nodes.eachNode((node) => nodes.push(node))
  return nodes
}

export const isWiredTo = ({ wires }: FlowNode, id: string): boolean =>
  wires?.some((output) => output.includes(id)) ?? false
