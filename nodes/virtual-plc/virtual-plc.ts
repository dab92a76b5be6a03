import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'
import { VirtualPlc } from '../../lib/plc/virtual/virtual-plc'
import { startTimeout } from '../../lib/timers/timers'
import { handshakeOf } from '../plc/handshake-of'
import { invalidInput, told } from '../plc/sentences'
import { shown } from '../plc/shown'
import { fieldsOfMessage } from '../shared/fields-of-message'
import { withDefaults } from '../shared/fields/fields-of'
import { numberOf } from '../shared/fields/number-of'
import { handleInput } from '../shared/handle-input'
import { NodeAnswer } from '../shared/outcome'
import { statusLineOf } from '../shared/status-line'
import { virtualPlcNode, type VirtualPlcFields } from './fields'

/** Triggers that may wait for the one under way. */
const room = 100

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-virtual-plc', function (this: Node, given: NodeDef & VirtualPlcFields) {
    RED.nodes.createNode(this, given)
    const fields = withDefaults(virtualPlcNode, given)
    const valuesOf = fieldsOfMessage(RED, this, fields)
    const status = statusLineOf(RED, this)
    let plc: VirtualPlc | undefined
    let timer: NodeJS.Timeout | undefined

    const work = async (msg: NodeMessage, signal: AbortSignal) => {
      const handshake = handshakeOf(RED, fields.handshake)
      if (!handshake) throw invalidInput('plc-missing')
      plc ??= new VirtualPlc(handshake.virtualPlc)
      const job = (await valuesOf(msg)).read('job') ?? 0
      if (typeof job !== 'number') throw invalidInput('plc-not-a-number', { field: 'job', value: shown(job) })
      const { milliseconds, ...answer } = await plc.trigger(job, signal)
      const whole = Math.round(milliseconds)
      return new NodeAnswer(
        { payload: { ...answer, milliseconds: whole } },
        {
          ...told('plc-virtual-answer', { code: answer.code, milliseconds: whole }),
          value: answer.code,
          code: answer.code,
          ...(!answer.done && { state: 'warning' }),
        },
      )
    }

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
      (msg, { signal }) => work(msg, signal),
    )

    const every = numberOf(virtualPlcNode, fields, 'every') * 1000
    const again = () => {
      this.receive({})
      timer = startTimeout(again, every)
    }
    if (every > 0) timer = startTimeout(again, every)

    this.on('close', (done: () => void) => {
      clearTimeout(timer)
      void Promise.resolve(plc?.close()).finally(done)
    })
  })
}
