/** The config node of a robot that is read or moved. In: address and limits. Out: one shared robot. */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { DeployedRobot, type MotionSettings, boxOf } from '../robot-motion/deployed-robot'
import { sentencesOf } from '../sentences'
import { configFields, numberOf } from '../shared/fields/checked-fields'
import { setLanguage } from '../shared/node-error'
import { readPossiblePose, robotFormat } from '../shared/poses'
import { environmentText } from '../shared/read-fields'
import { type RobotConfigFields, robotConfigNode } from './fields'

const { invalidInput } = sentencesOf('robot-motion')

type NumberFieldName =
  | 'speed'
  | 'acceleration'
  | 'step'
  | 'turn'
  | 'rtdePort'
  | 'primaryPort'
  | 'dashboardPort'
  | 'register'

/** @throws INVALID_INPUT naming the field */
function settingsOf(RED: NodeAPI, node: Node, fields: RobotConfigFields): MotionSettings {
  const number = (name: NumberFieldName) => numberOf(robotConfigNode, fields, name)
  const text = (name: 'host' | 'home' | 'box') => environmentText(RED, node, name, fields[name]).trim()
  const host = text('host')
  if (host === '') throw invalidInput('robot-host')
  const numbers = robotFormat('poseFormat', fields.poseFormat, fields.unit, fields.poseFormatCustom)
  const home = text('home')
  return {
    name: node.name || host,
    numbers,
    home: home === '' ? undefined : readPossiblePose(numbers, home).pose,
    mayMove: fields.mayMove,
    limits: {
      speed: number('speed') / 1000,
      acceleration: number('acceleration') / 1000,
      step: number('step') / 1000,
      turn: number('turn'),
      box: boxOf(text('box')),
    },
    universalRobot: {
      host,
      mayMove: fields.mayMove,
      rtdePort: number('rtdePort'),
      primaryPort: number('primaryPort'),
      dashboardPort: number('dashboardPort'),
      register: number('register'),
    },
  }
}

type RobotConfigNode = Node & { robot: DeployedRobot }

export default (RED: NodeAPI) => {
  setLanguage(RED)

  RED.nodes.registerType<RobotConfigNode, NodeDef & RobotConfigFields, object, object>(
    'vision-robot-config',
    function (config) {
      RED.nodes.createNode(this, config)
      const { fields, check } = configFields(RED, this, robotConfigNode, config)
      this.robot = new DeployedRobot(RED, this, () => {
        check()
        return settingsOf(RED, this, fields)
      })
      this.on('close', (done: () => void) => {
        this.robot.close().then(() => done(), done)
      })
    },
  )
}
