import type { Node, NodeAPI, NodeDef } from 'node-red'
import { robotRoutes } from '../robots/admin-routes'
import { DeployedRobots } from '../robots/deployed-robots'
import { configFields } from '../shared/fields/checked-fields'
import { speak } from '../shared/node-error'
import { robotConnectionNode, type RobotConnectionFields } from './fields'
import { settingsOf } from './settings-of'

type RobotConnectionNode = Node & { robots: DeployedRobots }

export default (RED: NodeAPI) => {
  speak(RED)
  robotRoutes(RED)

  RED.nodes.registerType<RobotConnectionNode, NodeDef & RobotConnectionFields, object, object>(
    'vision-robot-connection',
    function (given) {
      RED.nodes.createNode(this, given)
      const { fields, check } = configFields(RED, this, robotConnectionNode, given)
      this.robots = new DeployedRobots(RED, this, () => {
        check()
        return settingsOf(RED, this, fields)
      })
      this.on('close', (done: () => void) => void this.robots.close().finally(done))
    },
  )
}
