import type { NodeAPI } from 'node-red'
import { flowNodes, isWiredTo } from './flow-nodes'

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
