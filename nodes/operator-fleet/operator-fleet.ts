/** The node *operator fleet*. In: the state of a centre. Out: messages for widgets, and permitted orders. */
import { createRequire } from 'node:module'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { checkedFields } from '../shared/fields/checked-fields'
import { setLanguage } from '../shared/node-error'
import { operatorFleetNode, type OperatorFleetFields } from './fields'
import type * as Fleet from './show-page'

/** Loaded with the first node. */
const loadPage = () => createRequire(__filename)('./show-page') as typeof Fleet

export default (RED: NodeAPI) => {
  setLanguage(RED)

  RED.nodes.registerType(
    'vision-operator-fleet',
    function (this: Node, config: NodeDef & OperatorFleetFields) {
      RED.nodes.createNode(this, config)
      const fields = checkedFields(RED, this, operatorFleetNode, config)
      if (fields) loadPage().showPage(RED, this, fields)
    },
  )
}
