import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'
import { returnCodeIn } from '../../lib/client/said'
import { codeOf, isInt, type Failure } from '../../lib/plc/codes'
import { failureOf } from '../plc/open-cycles'
import { cycleOf } from '../plc/handshake-of'
import { refusalIn } from '../plc-result/plc-result'
import { robotCodes } from '../robots/codes'
import { robotsOf } from '../robots/robots-of'
import { fieldsOfMessage, optionalNumber } from '../shared/read-fields'
import { checkedFields } from '../shared/fields/checked-fields'
import { oneByOne } from '../shared/handle-input'
import { NodeAnswer } from '../shared/outcome'
import { poseInAnswer } from '../shared/poses'
import { candidatesIn } from './candidates-in'
import { robotAnswerNode, type RobotAnswerFields } from './fields'
import { sentencesOf } from '../sentences'

const { invalidInput, told } = sentencesOf('robots')

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-robot-answer', function (this: Node, given: NodeDef & RobotAnswerFields) {
    RED.nodes.createNode(this, given)
    const fields = checkedFields(RED, this, robotAnswerNode, given)
    if (!fields) return
    const valuesOf = fieldsOfMessage(RED, this, fields)

    oneByOne(RED, this, robotAnswerNode, async (msg) => {
      const asked = cycleOf(msg, 'robot')
      const robots = asked && robotsOf(RED, asked.node)
      if (!asked || !robots) throw invalidInput('robots-no-token')
      const values = await valuesOf(msg)
      const read = (name: FieldName) => (fields[name] === '' ? undefined : values.read(name))
      const failure = failureIn(msg)
      const code =
        optionalNumber('code', read('code')) ?? (failure ? codeOf(failure, robotCodes) : robotCodes.DONE)
      if (!isInt(code)) throw invalidInput('robots-not-a-code', { value: code })
      const isDone = code === robotCodes.DONE
      const taken = optionalNumber('taken', read('taken'))
      const takenAt = isDone ? read('takenAt') : undefined

      const answer = robots.answer(asked.token, {
        code,
        returnCode: failure?.returnCode ?? returnCodeIn((msg as { payload?: unknown }).payload)?.value,
        // A message without the property found nothing; a node without the setting answers a command for no pose.
        poses: isDone && fields.poses !== '' ? candidatesIn(read('poses')) : undefined,
        age: taken === undefined ? undefined : Math.max(0, Date.now() - taken),
        takenAt: takenAt === undefined || takenAt === '' ? undefined : poseInAnswer(takenAt, 0),
      })
      if ('dropped' in answer)
        return new NodeAnswer(
          { reason: answer.dropped },
          told(`robots-dropped-${answer.dropped}`, {}, { state: 'warning', code: answer.dropped }),
          1,
        )
      const { code: said, count, leftOut, milliseconds, isKept } = answer.reply
      return new NodeAnswer(
        { code: said, count, leftOut },
        told(
          said !== robotCodes.DONE ? 'robots-answered-code' : isKept ? 'robots-kept-here' : 'robots-answered',
          { code: said, count, milliseconds: Math.round(milliseconds) },
          { value: said, ...(said !== robotCodes.DONE && { state: 'warning', code: said }) },
        ),
      )
    })
  })
}

type FieldName = 'code' | 'poses' | 'taken' | 'takenAt'

/** An error that a Catch node has taken on the way, or a device that refused; undefined if there is neither. */
function failureIn(msg: NodeMessage): Failure | undefined {
  const { error } = msg as { error?: unknown }
  return error === undefined || error === null ? refusalIn(msg) : failureOf(error)
}
