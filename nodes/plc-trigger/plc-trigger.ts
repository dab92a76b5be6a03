import { afterwards, ownMessages } from '../shared/handle-input'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { deviceOf } from '../device/device-of'
import type { TriggerMember } from '../plc/trigger-member'
import { handshakeOf } from '../plc/handshake-of'
import { asVisionError } from '../plc/as-vision-error'
import { meaningOf } from '../plc/meaning-of'
import { timesOf } from '../plc/times-of'
import { checkedFields } from '../shared/fields/checked-fields'
import { plcTriggerNode, type PlcTriggerFields } from './fields'
import { handshakeStatus } from './show-handshake'
import { sentencesOf } from '../sentences'

const { invalidInput, told } = sentencesOf('plc')

/** Index of the output whose messages prepare the device. */
const preparing = plcTriggerNode.outputs.indexOf('prepare')

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-plc-trigger', function (this: Node, given: NodeDef & PlcTriggerFields) {
    RED.nodes.createNode(this, given)
    const fields = checkedFields(RED, this, plcTriggerNode, given)
    if (!fields) return
    const handshake = handshakeOf(RED, fields.handshake)
    const { status, send, trouble, join } = ownMessages(RED, this)

    const show = handshakeStatus(status)
    const figures = () => ({ ...handshake?.counts, times: timesOf(handshake?.cell) })

    const member: TriggerMember = {
      node: this,
      device: fields.device ? deviceOf(RED, fields.device) : undefined,
      started: ({ token, request, command, job, arguments: given, manual, acquisitionId }) =>
        send(
          0,
          {
            payload: {
              request,
              acquisitionId,
              ...(command !== undefined && { command }),
              ...(job !== undefined && { job }),
              ...(given.length > 0 && { argument: given }),
              manual,
            },
            handshake: { node: fields.handshake, token },
          },
          told('plc-trigger-accepted', {}, { value: request }),
        ),
      prepare: (token) => {
        // Wires can change without a restart of this node.
        const { wires = [] } = this as Node & { wires?: string[][] }
        if (!wires[preparing]?.length) return false
        send(
          preparing,
          { payload: { event: 'prepare' }, handshake: { node: fields.handshake, token } },
          told('plc-prepare'),
        )
        return true
      },
      ended: ({ code, counter, milliseconds }, codes, reason) => {
        const isDone = code === codes.DONE
        send(
          1,
          {
            payload: { event: 'ended', code, counter, milliseconds, ...(reason && { reason }), ...figures() },
          },
          told(
            isDone ? 'plc-event-done' : reason ? 'plc-event-failed-reason' : 'plc-event-failed',
            {
              // A failed one does not count: the next one has its number.
              number: counter + (isDone ? 0 : 1),
              code,
              meaning: meaningOf(code, codes),
              milliseconds: Math.round(milliseconds),
              ...(reason && { reason }),
            },
            { state: isDone ? 'done' : 'failed', value: code, code },
          ),
        )
      },
      told: ({ what, code, request }) =>
        send(
          1,
          {
            payload: {
              event: what,
              ...(code !== undefined && { code }),
              ...(request !== undefined && { request }),
              ...figures(),
            },
          },
          told(`plc-event-${what}`, { code }, { state: 'warning', value: code, code: what }),
        ),
      changed: afterwards(() => handshake && show(handshake)),
      trouble: (problem) => trouble(asVisionError(problem)),
    }

    join(() => {
      if (!handshake) throw invalidInput('plc-missing')
      return handshake.join(member)
    })
  })
}
