import type { NodeAPI } from 'node-red'
import { pagesNeedLogin } from '../shared/permission'
import { flowNodes, isWiredTo } from './flow-nodes'

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
