import type { Node, NodeAPI } from 'node-red'
import { boxOf } from '../robot-motion/box-of'
import type { MotionSettings } from '../robot-motion/deployed-robot'
import { environmentText } from '../shared/read-fields'
import { numberOf } from '../shared/fields/checked-fields'
import { readPossiblePose, robotFormat } from '../shared/poses'
import { robotConfigNode, type RobotConfigFields } from './fields'
import { sentencesOf } from '../sentences'

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

/** A configuration as the robot needs it. @throws INVALID_INPUT naming the field */
export function settingsOf(RED: NodeAPI, node: Node, fields: RobotConfigFields): MotionSettings {
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
