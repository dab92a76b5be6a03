import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'
import { returnCodeIn } from '../../lib/client/said'
import { codeOf, isInt, type Failure } from '../../lib/plc/codes'
import { failureOf } from '../plc/failure-of'
import { refusalIn } from '../plc-result/refusal-in'
import { robotCodes } from '../robots/codes'
import { robotOf } from '../robots/robot-of-message'
import { robotsOf } from '../robots/robots-of'
import { invalidInput, told } from '../robots/sentences'
import { fieldsOfMessage } from '../shared/fields-of-message'
import { withDefaults } from '../shared/fields/fields-of'
import { handleInput } from '../shared/handle-input'
import { NodeAnswer } from '../shared/outcome'
import { shown } from '../shared/shown'
import { statusLineOf } from '../shared/status-line'
import { candidatesIn, poseIn } from './candidates-in'
import { robotAnswerNode, type RobotAnswerFields } from './fields'

/** Messages that may wait. */
const room = 100

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-robot-answer', function (this: Node, given: NodeDef & RobotAnswerFields) {
    RED.nodes.createNode(this, given)
    const fields = withDefaults(robotAnswerNode, given)
    const valuesOf = fieldsOfMessage(RED, this, fields)
    const status = statusLineOf(RED, this)

    handleInput(
      RED,
      this,
      {
        atOnce: 1,
        room,
        begun: () => status.begins(),
        worked: (open, waiting) => status.work(open, waiting),
        left: (error, answer) => status.left(error, answer),
        closed: () => status.close(),
      },
      async (msg) => {
        const asked = robotOf(msg)
        const robots = asked && robotsOf(RED, asked.node)
        if (!asked || !robots) throw invalidInput('robots-no-token')
        const values = await valuesOf(msg)
        const read = (name: FieldName) => (fields[name] === '' ? undefined : values.read(name))
        const failure = failureIn(msg)
        const code =
          numberOf('code', read('code')) ?? (failure ? codeOf(failure, robotCodes) : robotCodes.DONE)
        if (!isInt(code)) throw invalidInput('robots-not-a-code', { value: code })
        const isDone = code === robotCodes.DONE
        const taken = numberOf('taken', read('taken'))
        const takenAt = isDone ? read('takenAt') : undefined

        const answer = robots.answer(asked.token, {
          code,
          returnCode: failure?.returnCode ?? returnCodeIn((msg as { payload?: unknown }).payload)?.value,
          // A message without the property found nothing; a node without the setting answers a command for no pose.
          poses: isDone && fields.poses !== '' ? candidatesIn(read('poses')) : undefined,
          age: taken === undefined ? undefined : Math.max(0, Date.now() - taken),
          takenAt: takenAt === undefined || takenAt === '' ? undefined : poseIn(takenAt, 0),
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
            said !== robotCodes.DONE
              ? 'robots-answered-code'
              : isKept
                ? 'robots-kept-here'
                : 'robots-answered',
            { code: said, count, milliseconds: Math.round(milliseconds) },
            { value: said, ...(said !== robotCodes.DONE && { state: 'warning', code: said }) },
          ),
        )
      },
    )
  })
}

type FieldName = 'code' | 'poses' | 'taken' | 'takenAt'

/** An error that a Catch node has taken on the way, or a device that refused; undefined if there is neither. */
function failureIn(msg: NodeMessage): Failure | undefined {
  const { error } = msg as { error?: unknown }
  return error === undefined || error === null ? refusalIn(msg) : failureOf(error)
}

/** A number, or undefined where there is none. @throws INVALID_INPUT where it is something else */
function numberOf(field: string, value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw invalidInput('robots-not-a-number', { field, value: shown(value) })
}
