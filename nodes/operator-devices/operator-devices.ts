/**
 * The node *operator devices*: all devices in a table. In: the devices of this Node-RED. Out: rows with what has changed.
 */
import { createRequire } from 'node:module'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { checkedFields } from '../shared/fields/checked-fields'
import { setLanguage } from '../shared/node-error'
import type * as Devices from './all-devices'
import { operatorDevicesNode, type OperatorDevicesFields } from './fields'

/** Loaded with the first node. */
const loadDevices = () => createRequire(__filename)('./all-devices') as typeof Devices

export default (RED: NodeAPI) => {
  setLanguage(RED)

  RED.nodes.registerType(
    'vision-operator-devices',
    function (this: Node, config: NodeDef & OperatorDevicesFields) {
      RED.nodes.createNode(this, config)
      const fields = checkedFields(RED, this, operatorDevicesNode, config)
      if (fields) loadDevices().showDevices(RED, this, fields)
    },
  )
}
