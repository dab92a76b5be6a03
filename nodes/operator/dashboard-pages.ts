import type { NodeAPI, NodeDef } from 'node-red'
import { pagesNeedLogin } from '../shared/permission'

export interface FlowNode extends NodeDef {
  wires?: string[][]
  d?: boolean
}

export function flowNodes(RED: NodeAPI): FlowNode[] {
  const nodes: FlowNode[] = []
  RED.nodes.eachNode((node) => nodes.push(node))
  return nodes
}

const isWiredTo = ({ wires }: FlowNode, id: string): boolean =>
  wires?.some((output) => output.includes(id)) ?? false

const isPage = (type: string) => type.startsWith('vision-operator-') || type === 'vision-recipes'

/** Widgets that an operator node fills or whose orders pass *operator permission*, and templates on the same flow, keep nothing. */
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

/** An *operator permission* that allows orders is wired to the node. */
export const mayOrder = (RED: NodeAPI, id: string): boolean =>
  pagesNeedLogin(RED) &&
  flowNodes(RED).some(
    (node) =>
      node.type === 'vision-operator-permission' &&
      !node.d &&
      (node as { allowed?: boolean }).allowed === true &&
      isWiredTo(node, id),
  )
