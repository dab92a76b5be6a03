/** The node *PLC result*: ends a cycle. In: the message of a trigger. Out: the answer that the PLC received. */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { returnCodeIn } from '../../lib/client/error-answer'
import { triggerRemarks } from '../../lib/contract/reading/values'
import { type Failure, isInt, isPassedOn } from '../../lib/plc/codes'
import type { CellData } from '../../lib/plc/rows'
import type { Pose } from '../../lib/robotics'
import { caughtIn, cycleOf, handshakeOf } from '../plc/handshake-of'
import { sentencesOf } from '../sentences'
import { checkedFields } from '../shared/fields/checked-fields'
import { oneByOne } from '../shared/handle-input'
import { NodeAnswer } from '../shared/outcome'
import { listOfPoses, poseInAnswer } from '../shared/poses'
import { fieldsOfMessage, optionalNumber } from '../shared/read-fields'
import { type PlcResultFields, plcResultNode } from './fields'

const { invalidInput, summarize } = sentencesOf('plc')

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-plc-result', function (this: Node, given: NodeDef & PlcResultFields) {
    RED.nodes.createNode(this, given)
    const fields = checkedFields(RED, this, plcResultNode, given)
    if (!fields) return
    const valuesOf = fieldsOfMessage(RED, this, fields)

    oneByOne(RED, this, plcResultNode, async (msg) => {
      const began = performance.now()
      const cycle = cycleOf(msg, 'handshake')
      const handshake = cycle && handshakeOf(RED, cycle.node)
      if (!cycle || !handshake) throw invalidInput('plc-no-token')
      const { token } = cycle
      const { error } = msg as { error?: unknown }
      if (handshake.prepared(token, error)) return new NodeAnswer({}, summarize('plc-prepared'))
      const values = await valuesOf(msg)
      const read = (name: FieldName) => (fields[name] === '' ? undefined : values.read(name))
      const given = (name: FieldName) => optionalNumber(name, read(name))
      const poses = posesIn(read('poses'))
      const code = given('code')
      if (code !== undefined && !isInt(code)) throw invalidInput('plc-not-a-code', { value: code })
      const count = given('count') ?? poses.length
      const score = given('score')
      const proven = provenIn(msg)
      const data: CellData = {
        ...{ count, poses, message: msg },
        ...(score !== undefined && { score }),
        ...(proven !== undefined && { proven }),
      }

      const [failed, caught] = [refusalIn(msg), caughtIn(msg)]
      const answer = await handshake.answer(token, data, {
        ...(code !== undefined && { given: code }),
        ...(failed && { failed }),
        ...(caught && { caught }),
      })
      if (answer.taken !== 'answered' && answer.taken !== 'manual')
        return new NodeAnswer(
          { reason: answer.taken },
          summarize(`plc-dropped-${answer.taken}`, {}, { state: 'warning', code: answer.taken }),
          1,
        )
      const milliseconds = Math.round(performance.now() - began)
      // Written, and perhaps read by nobody.
      const isSilent = answer.taken === 'answered' && !answer.isHeard
      const text = summarize(isSilent ? 'plc-answered-silent' : 'plc-answered', {
        code: answer.code,
        milliseconds,
      })
      return new NodeAnswer(
        { code: answer.code, ...(answer.fault !== undefined && { fault: answer.fault }) },
        {
          ...text,
          value: answer.code,
          code: answer.code,
          ...(isSilent && { state: 'warning' as const }),
          ...(answer.fault !== undefined && { text: answer.fault, state: 'warning' as const }),
        },
      )
    })
  })
}

type FieldName = 'code' | 'poses' | 'count' | 'score'

/**
 * The poses of an answer, in metres: a pose as the device gives it, something with a `pose`, or a list of these.
 * Nothing is none.
 * @throws INVALID_INPUT where one of them is no pose
 */
const posesIn = (given: unknown): Pose[] =>
  listOfPoses(given).map((each, index) => {
    const { pose = each } = Object(each) as { pose?: unknown }
    return poseInAnswer(pose, index + 1)
  })

/** The parts of a message that tell whether the device did its work. */
interface Told {
  payload?: unknown
  service?: unknown
  /** Of *acquire*. */
  acquisition?: unknown
}

/** Whether an image set proves that a frame was taken; undefined where no *acquire* took one. */
export function provenIn({ acquisition }: Told): boolean | undefined {
  const { proven } = Object(acquisition) as { proven?: unknown }
  return typeof proven === 'boolean' ? proven : undefined
}

/**
 * Why the work was not done, though no node reported an error: a service that answered a negative code, or 101 and 102 of
 * an acquisition that was ignored (of other services these are remarks); or an acquisition without proof.
 */
export function refusalIn(msg: Told): Failure | undefined {
  const { doubt } = Object(msg.acquisition) as { doubt?: unknown }
  if (doubt === 'pending') return { returnCode: triggerRemarks.pending }
  if (provenIn(msg) === false) return { code: 'UNPROVEN' }
  const value = returnCodeIn(msg.payload)?.value ?? 0
  const isRefused = isPassedOn(value) && (value < 0 || msg.service === 'acquisition_trigger')
  return isRefused ? { returnCode: value } : undefined
}
