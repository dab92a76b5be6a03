import type { NodeAPI, NodeDef } from 'node-red'
import { pagesNeedLogin } from '../shared/permission'

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

const isWiredTo = ({ wires }: FlowNode, id: string): boolean =>
  wires?.some((output) => output.includes(id)) ?? false

const isPage = (type: string) => type.startsWith('vision-operator-') || type === 'vision-recipes'

/**
 * Whether a page must leave nothing in a widget of Dashboard: one that an operator's node fills, one whose orders pass *operator
 * permission*, and each template on a flow with such a node.
 */
export function isGuarded(RED: NodeAPI, id: string): boolean {
  const nodes = flowNodes(RED)
  const widget = nodes.find((node) => node.id === id)
  if (!widget) return false
  const permissions = nodes.filter(({ type }) => type === 'vision-operator-permission')
  return (
    nodes.some((node) => isPage(node.type) && isWiredTo(node, id)) ||
    permissions.some((permission) => isWiredTo(widget, permission.id)) ||
    (widget.type === 'ui-template' && permissions.some(({ z }) => z === widget.z))
  )
}

/** Whether orders from a page reach a node: an *operator permission* that allows them is wired to it. */
export const mayOrder = (RED: NodeAPI, id: string): boolean =>
  pagesNeedLogin(RED) &&
  flowNodes(RED).some(
    (node) =>
      node.type === 'vision-operator-permission' &&
      !node.d &&
      (node as { allowed?: boolean }).allowed === true &&
      isWiredTo(node, id),
  )
