/**
 * The node *robot pose*: converts poses between formats. In: a pose. Out: the same pose in another format, or why it is
 * impossible.
 */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { flagsIn } from '../../lib/robotics/pose-formats'
import { sentencesOf } from '../sentences'
import { checkedFields } from '../shared/fields/checked-fields'
import { handleInput, type Handling } from '../shared/handle-input'
import { detailOf } from '../shared/node-error'
import { NodeAnswer } from '../shared/outcome'
import {
  poseError,
  posesIn,
  readPose,
  type ReadPose,
  robotFormat,
  type RobotFormat,
  shapedPose,
  suspicionText,
} from '../shared/poses'
import { fieldsOfMessage } from '../shared/read-fields'
import { invalidInput } from '../shared/sentences'
import { statusLineOf } from '../shared/status'
import { type RobotPoseFields, robotPoseNode } from './fields'

const { summarize } = sentencesOf('robot-pose')

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-robot-pose', function (this: Node, config: NodeDef & RobotPoseFields) {
    RED.nodes.createNode(this, config)
    const fields = checkedFields(RED, this, robotPoseNode, config)
    if (!fields) return
    const isList = fields.which === 'list'
    const valuesOf = fieldsOfMessage(RED, this, fields)
    const status = statusLineOf(RED, this)
    const left: Handling['left'] = (error, answer) => status.left(error, answer)
    const closed = () => status.close()

    handleInput(RED, this, robotPoseNode, { atOnce: 1, room: Infinity, left, closed }, async (msg) => {
      const from = robotFormat('from', fields.from, fields.fromUnit, fields.fromCustom)
      const to = robotFormat('to', fields.to, fields.toUnit, fields.toCustom)
      const values = await valuesOf(msg)
      const value = values.read('pose')
      const taught = fields.taught === '' ? undefined : flagsIn(to.format, values.read('taught'))
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
      const shaped = poses.map(({ pose, given }) => {
        const own = from.format.id === to.format.id ? flagsIn(to.format, given) : undefined
        return shapedPose(to, pose, fields.shape, taught ?? own)
      })
      const answer = { [fields.property]: isList ? shaped : shaped[0], warnings }
      const [first] = warnings
      return new NodeAnswer(
        answer,
        first
          ? { text: first.text, state: 'warning', word: 'doubtful', value: warnings.length }
          : summarize(
              'result-converted',
              { count: poses.length },
              { value: isList ? poses.length : shaped[0] },
            ),
      )
    })
  })
}

/** @throws INVALID_INPUT naming the suspicion, depending on `refuse` */
function acceptedPose(robot: RobotFormat, refuse: RobotPoseFields['refuse'], value: unknown): ReadPose {
  const read = readPose(robot, value)
  const refused = read.suspicions.filter(
    ({ severity }) => refuse === 'doubtful' || (refuse === 'impossible' && severity === 'impossible'),
  )
  if (refused.length) throw poseError(refused, robot)
  return read
}

/** @throws INVALID_INPUT with the number (from 1) of the first rejected pose */
function acceptedPoses(robot: RobotFormat, refuse: RobotPoseFields['refuse'], value: unknown): ReadPose[] {
  const parts = posesIn(robot, value)
  if (!parts) throw invalidInput('pose-list-missing')
  return parts.map((part, index) => {
    try {
      return acceptedPose(robot, refuse, part)
    } catch (error) {
      throw invalidInput('pose-in-list', { number: index + 1, problem: detailOf(error) })
    }
  })
}
