/** The node *operator panel*: state, alarms, results and counters of a cell. In: a handshake. Out: messages for widgets. */
import { createRequire } from 'node:module'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { checkedFields } from '../shared/fields/checked-fields'
import { setLanguage } from '../shared/node-error'
import { operatorPanelNode, type OperatorPanelFields } from './fields'
import type * as Panels from './panel'

/** Loaded with the first node. */
const loadPanel = () => createRequire(__filename)('./panel') as typeof Panels

export default (RED: NodeAPI) => {
  setLanguage(RED)

  RED.nodes.registerType(
    'vision-operator-panel',
    function (this: Node, config: NodeDef & OperatorPanelFields) {
      RED.nodes.createNode(this, config)
      const fields = checkedFields(RED, this, operatorPanelNode, config)
      if (fields) loadPanel().showPanel(RED, this, fields)
    },
  )
}
