/** The node *robot answer*. In: the message of a request. Out: the one reply of that request. */
import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'
import { returnCodeIn } from '../../lib/client/error-answer'
import { codeOf, type Failure, isInt } from '../../lib/plc/codes'
import type { Candidate } from '../../lib/robots'
import { refusalIn } from '../plc-result/plc-result'
import { cycleOf } from '../plc/handshake-of'
import { failureOf } from '../plc/open-cycles'
import { robotCodes } from '../robots/codes'
import { robotsOf } from '../robots/deployed-robots'
import { sentencesOf } from '../sentences'
import { checkedFields } from '../shared/fields/checked-fields'
import { oneByOne } from '../shared/handle-input'
import { NodeAnswer } from '../shared/outcome'
import { listOfPoses, poseInAnswer } from '../shared/poses'
import { fieldsOfMessage, optionalNumber } from '../shared/read-fields'
import { type RobotAnswerFields, robotAnswerNode } from './fields'

/**
 * Poses in metres with their scores: device poses, or objects with a `pose` and perhaps `quality` or `score`; best first.
 * @throws INVALID_INPUT for an invalid pose
 */
const candidatesIn = (value: unknown): Candidate[] =>
  listOfPoses(value).map((each, index) => candidateIn(each, index + 1))

function candidateIn(value: unknown, number: number): Candidate {
  const fields = Object(value) as Partial<Record<string, unknown>>
  const { pose = value, quality, score = quality, related, data } = fields
  const rated = typeof score === 'number' && Number.isFinite(score) ? score : 0
  return {
    pose: poseInAnswer(pose, number),
    score: rated,
    // Related poses have none of their own.
    ...(Array.isArray(related) && {
      related: related.map((each: unknown) => {
        const { pose: other = each, data: numbers } = Object(each) as Partial<Record<string, unknown>>
        return { pose: poseInAnswer(other, number), ...dataIn(numbers) }
      }),
    }),
    ...dataIn(data),
  }
}

/** data_4 to data_10; invalid ones are 0. */
const dataIn = (value: unknown): { data?: number[] } =>
  Array.isArray(value)
    ? {
        data: value.slice(0, 7).map((each: unknown) => {
          const number = typeof each === 'number' ? Math.round(each) : 0
          return Number.isSafeInteger(number) ? number : 0
        }),
      }
    : {}

const { invalidInput, summarize } = sentencesOf('robots')

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-robot-answer', function (this: Node, config: NodeDef & RobotAnswerFields) {
    RED.nodes.createNode(this, config)
    const fields = checkedFields(RED, this, robotAnswerNode, config)
    if (!fields) return
    const valuesOf = fieldsOfMessage(RED, this, fields)

    oneByOne(RED, this, robotAnswerNode, async (msg) => {
      const cycle = cycleOf(msg, 'robot')
      const robots = cycle && robotsOf(RED, cycle.node)
      if (!cycle || !robots) throw invalidInput('robots-no-token')
      const values = await valuesOf(msg)
      const read = (name: FieldName) => (fields[name] === '' ? undefined : values.read(name))
      const failure = failureIn(msg)
      const code =
        optionalNumber('code', read('code')) ?? (failure ? codeOf(failure, robotCodes) : robotCodes.DONE)
      if (!isInt(code)) throw invalidInput('robots-not-a-code', { value: code })
      const isDone = code === robotCodes.DONE
      const taken = optionalNumber('taken', read('taken'))
      const takenAt = isDone ? read('takenAt') : undefined

      const answer = robots.answer(cycle.token, {
        code,
        returnCode: failure?.returnCode ?? returnCodeIn((msg as { payload?: unknown }).payload)?.value,
        // Nothing was found if the property is missing; without the setting, the command has no pose.
        poses: isDone && fields.poses !== '' ? candidatesIn(read('poses')) : undefined,
        age: taken === undefined ? undefined : Math.max(0, Date.now() - taken),
        takenAt: takenAt === undefined || takenAt === '' ? undefined : poseInAnswer(takenAt, 0),
      })
      if ('dropped' in answer)
        return new NodeAnswer(
          { reason: answer.dropped },
          summarize(`robots-dropped-${answer.dropped}`, {}, { state: 'warning', code: answer.dropped }),
          1,
        )
      const { code: sentCode, count, leftOut, milliseconds, isKept } = answer.reply
      return new NodeAnswer(
        { code: sentCode, count, leftOut },
        summarize(
          sentCode !== robotCodes.DONE
            ? 'robots-answered-code'
            : isKept
              ? 'robots-kept-here'
              : 'robots-answered',
          { code: sentCode, count, milliseconds: Math.round(milliseconds) },
          { value: sentCode, ...(sentCode !== robotCodes.DONE && { state: 'warning', code: sentCode }) },
        ),
      )
    })
  })
}

type FieldName = 'code' | 'poses' | 'taken' | 'takenAt'

/** From a Catch node or a refusing device. */
function failureIn(msg: NodeMessage): Failure | undefined {
  const { error } = msg as { error?: unknown }
  return error === undefined || error === null ? refusalIn(msg) : failureOf(error)
}
