import type { Node, NodeAPI, NodeDef } from 'node-red'
import { fieldsOfMessage } from '../shared/fields-of-message'
import { handleInput } from '../shared/handle-input'
import { codeOf } from '../shared/node-error'
import { robotFormat } from '../shared/poses/robot-format'
import { shapedPose } from '../shared/poses/shaped-pose'
import { suspicionText } from '../shared/poses/suspicion-text'
import { lookOf, statusText, type StatusWord } from '../shared/status-word'
import { acceptedPose, acceptedPoses } from './accepted-poses'
import { withDefaults } from '../shared/fields/fields-of'
import { robotPoseNode, type RobotPoseFields } from './fields'

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-robot-pose', function (this: Node, given: NodeDef & RobotPoseFields) {
    RED.nodes.createNode(this, given)
    const fields = withDefaults(robotPoseNode, given)
    const isList = fields.which === 'list'
    const valuesOf = fieldsOfMessage(RED, this, fields)
    const show = (word?: StatusWord) =>
      this.status(word ? { ...lookOf(word), text: statusText(RED, word) } : {})
    const left = (error?: unknown) => {
      if (error !== undefined) show(codeOf(error) ?? 'failed')
    }

    handleInput(RED, this, { atOnce: 1, room: Infinity, left }, async (msg) => {
      const from = robotFormat('from', fields.from, fields.fromUnit)
      const to = robotFormat('to', fields.to, fields.toUnit)
      const value = (await valuesOf(msg)).read('pose')
      const poses = isList
        ? acceptedPoses(from, fields.refuse, value)
        : [acceptedPose(from, fields.refuse, value)]

      const warnings = poses.flatMap(({ suspicions }, index) =>
        suspicions.map((each) => ({
          ...each,
          ...(isList && { number: index + 1 }),
          text: suspicionText(each, from.format),
        })),
      )
      show(warnings.length ? 'doubtful' : undefined)
      const shaped = poses.map(({ pose }) => shapedPose(to, pose, fields.shape))
      return { [fields.property]: isList ? shaped : shaped[0], warnings }
    })
  })
}
