import type { Node, NodeAPI, NodeDef } from 'node-red'
import { DeployedRobot } from '../robot-motion/deployed-robot'
import { configFields } from '../shared/fields/checked-fields'
import { speak } from '../shared/node-error'
import { robotConfigNode, type RobotConfigFields } from './fields'
import { settingsOf } from './settings-of'

type RobotConfigNode = Node & { robot: DeployedRobot }

export default (RED: NodeAPI) => {
  speak(RED)

  RED.nodes.registerType<RobotConfigNode, NodeDef & RobotConfigFields, object, object>(
    'vision-robot-config',
    function (given) {
      RED.nodes.createNode(this, given)
      const { fields, check } = configFields(RED, this, robotConfigNode, given)
      this.robot = new DeployedRobot(RED, this, () => {
        check()
        return settingsOf(RED, this, fields)
      })
      this.on('close', (done: () => void) => void this.robot.close().finally(done))
    },
  )
}
