/** The node *virtual PLC*: simulates the PLC of a handshake. In: a handshake. Out: the answer of each trigger. */
import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'
import type { PlcAnswer, VirtualPlc } from '../../lib/plc/virtual/virtual-plc'
import { abortedAfter, startTimeout } from '../../lib/kernel/timers'
import { handshakeOf } from '../plc/handshake-of'
import type { DeployedHandshake } from '../plc/deployed-handshake'
import { asSentence } from '../shared/sentences'
import { fieldsOfMessage } from '../shared/read-fields'
import { loadPlc } from '../shared/load-later'
import { isObject } from '../shared/is-object'
import { shown } from '../shared/shown'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { handleInput } from '../shared/handle-input'
import { NoAnswer, NodeAnswer } from '../shared/outcome'
import { statusLineOf } from '../shared/status'
import { virtualPlcNode, type VirtualPlcFields } from './fields'
import { sentencesOf } from '../sentences'
import { asVisionError } from '../shared/node-error'

const { invalidInput, nodeError, summarize } = sentencesOf('plc')

/** Triggers that may wait for the one under way. */
const room = 100

/** Seconds in which the cell answers, or never: longer than any cycle may take by default. */
const patience = 60

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-virtual-plc', function (this: Node, given: NodeDef & VirtualPlcFields) {
    RED.nodes.createNode(this, given)
    const fields = checkedFields(RED, this, virtualPlcNode, given)
    if (!fields) return
    const valuesOf = fieldsOfMessage(RED, this, fields)
    const status = statusLineOf(RED, this)
    let plc: VirtualPlc | undefined
    let timer: NodeJS.Timeout | undefined
    let isOpen = false

    const every = numberOf(virtualPlcNode, fields, 'every') * 1000

    const plcOf = (handshake: DeployedHandshake): VirtualPlc => {
      if (plc) return plc
      const started = new (loadPlc().VirtualPlc)({ ...handshake.virtualPlc, automatic: every > 0 })
      started.opened.catch(() => {
        // The next trigger tries again.
        if (plc === started) plc = undefined
      })
      return (plc = started)
    }

    /** Restarts, cuts or disturbs the PLC at once, a trigger under way or not. */
    const command = async ({ topic, payload }: Message): Promise<NodeAnswer> => {
      const handshake = handshakeOf(RED, fields.handshake)
      if (!handshake) throw invalidInput('plc-missing')
      const plc = plcOf(handshake)
      await plc.opened
      const { server } = plc
      if (!server?.fail) throw invalidInput('plc-virtual-no-faults')
      if (topic === 'cut') server.cut?.()
      else if (topic === 'faults') server.fail(faultsIn(payload))
      else await plc.restart(topic === 'restart')
      return new NodeAnswer(
        { payload: { command: topic, faults: { ...server.faults } } },
        { ...summarize('plc-virtual-command', { command: String(topic) }), value: String(topic) },
      )
    }

    const work = async (msg: NodeMessage, signal: AbortSignal, yields = false) => {
      const handshake = handshakeOf(RED, fields.handshake)
      if (!handshake) throw invalidInput('plc-missing')
      const plc = plcOf(handshake)
      const job = (await valuesOf(msg)).read('job') ?? 0
      if (typeof job !== 'number')
        throw invalidInput('number-or-nothing', { field: 'job', value: shown(job) })
      const { milliseconds, ...answer } = await triggered(plc, job, yields, signal)
      const whole = Math.round(milliseconds)
      return new NodeAnswer(
        { payload: { ...answer, milliseconds: whole } },
        {
          ...summarize('plc-virtual-answer', { code: answer.code, milliseconds: whole }),
          value: answer.code,
          code: answer.code,
          ...(!answer.done && { state: 'warning' }),
        },
      )
    }

    const begin = handleInput(
      RED,
      this,
      virtualPlcNode,
      {
        atOnce: 1,
        room,
        urgent: isCommand,
        begun: () => status.begins(),
        worked: (open, waiting) => {
          isOpen = open > 0
          status.work(open, waiting)
        },
        left: (error, answer) => status.left(error, answer),
        closed: () => status.close(),
      },
      (msg, { signal }) => (isCommand(msg) ? command(msg) : work(msg, signal)),
    )

    const program = async (signal: AbortSignal) => {
      try {
        return await work({}, signal, true)
      } catch (error) {
        // Nobody waits for a trigger of the program.
        if (signal.aborted || error instanceof loadPlc().YieldedToHand) return new NoAnswer()
        throw error
      }
    }
    const again = () => {
      // A cell that takes longer is asked again when it has answered.
      if (!isOpen) begin({}, (_msg, { signal }) => program(signal))
      timer = startTimeout(again, every)
    }
    if (every > 0) timer = startTimeout(again, every)

    // A PLC that is the server is there before the cell looks for it.
    const appear = async () => {
      const handshake = handshakeOf(RED, fields.handshake)
      if (handshake?.virtualPlc.serve) await plcOf(handshake).opened
    }
    appear().catch((problem: unknown) => {
      const error = asVisionError(problem)
      status.left(error)
      this.error(asSentence(error))
    })

    this.on('close', (done: (error?: Error) => void) => {
      clearTimeout(timer)
      Promise.resolve(plc?.close()).then(() => done(), done)
    })
  })
}

type Message = NodeMessage & { topic?: unknown; payload?: unknown }

/** Restart with its memory, restart without it, end all connections, change its faults. */
const commands: ReadonlySet<unknown> = new Set(['restart', 'clear', 'cut', 'faults'])

const isCommand = ({ topic }: Message): boolean => commands.has(topic)

/** @throws INVALID_INPUT */
function faultsIn(payload: unknown): Record<string, unknown> {
  if (isObject(payload)) return payload
  throw invalidInput('plc-virtual-faults')
}

/** @throws TIMEOUT or, where the request had gone out, OUTCOME_UNKNOWN; ABORTED when the node closes */
async function triggered(
  plc: VirtualPlc,
  job: number,
  yields: boolean,
  closing: AbortSignal,
): Promise<PlcAnswer> {
  const limit = abortedAfter(patience * 1000)
  let hasAsked = false as boolean
  try {
    return await plc.trigger(job, AbortSignal.any([closing, limit]), {
      asking: () => (hasAsked = true),
      yields,
    })
  } catch (error) {
    if (closing.aborted) throw nodeError('ABORTED', 'node-closed')
    if (error instanceof loadPlc().PlcRestarted) throw nodeError('ABORTED', 'plc-virtual-restarted')
    if (!limit.aborted) throw asVisionError(error)
    throw hasAsked
      ? nodeError('OUTCOME_UNKNOWN', 'plc-virtual-no-answer', { seconds: patience })
      : nodeError('TIMEOUT', 'plc-virtual-timeout', { seconds: patience })
  }
}
