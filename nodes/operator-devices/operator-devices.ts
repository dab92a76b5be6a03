import { createRequire } from 'node:module'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { withDefaults } from '../shared/fields/fields-of'
import { speak } from '../shared/node-error'
import type * as Devices from './all-devices'
import { operatorDevicesNode, type OperatorDevicesFields } from './fields'

/** A Node-RED without such a table does not need its files. */
const loadDevices = () => createRequire(__filename)('./all-devices') as typeof Devices

export default (RED: NodeAPI) => {
  speak(RED)

  RED.nodes.registerType(
    'vision-operator-devices',
    function (this: Node, given: NodeDef & OperatorDevicesFields) {
      RED.nodes.createNode(this, given)
      loadDevices().showDevices(RED, this, withDefaults(operatorDevicesNode, given))
    },
  )
}
