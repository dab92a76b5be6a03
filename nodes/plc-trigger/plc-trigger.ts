/** The node *PLC trigger*. In: a handshake. Out: one message per accepted trigger. */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { Phase } from '../../lib/plc/handshake'
import { deviceOf } from '../device/device'
import type { DeployedHandshake, TriggerMember } from '../plc/deployed-handshake'
import { handshakeOf, meaningOf, timesOf } from '../plc/handshake-of'
import { sentencesOf } from '../sentences'
import { checkedFields } from '../shared/fields/checked-fields'
import { afterwards, ownMessages } from '../shared/handle-input'
import { grouped, type StatusLine, type StatusWord, took } from '../shared/status'
import { type PlcTriggerFields, plcTriggerNode } from './fields'
import { asVisionError } from '../shared/node-error'

const { invalidInput, summarize } = sentencesOf('plc')

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
          summarize('plc-trigger-accepted', {}, { value: request }),
        ),
      prepare: (token) => {
        // Wires can change without a restart of this node.
        const { wires = [] } = this as Node & { wires?: string[][] }
        if (!wires[preparing]?.length) return false
        send(
          preparing,
          { payload: { event: 'prepare' }, handshake: { node: fields.handshake, token } },
          summarize('plc-prepare'),
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
          summarize(
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
          summarize(`plc-event-${what}`, { code }, { state: 'warning', value: code, code: what }),
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

const words: Record<Exclude<Phase, 'unknown'>, StatusWord> = {
  'not-ready': 'plcNotReady',
  ready: 'plcReady',
  busy: 'plcBusy',
  done: 'plcDone',
  error: 'plcError',
}

/** What is in the way while the phase is unknown. */
function missingOf({ cell }: DeployedHandshake): StatusWord {
  if (!cell?.isUp) return 'plcUnknown'
  if (!cell.isHeard) return 'plcSilent'
  return 'plcUnwritten'
}

/**
 * Phase, cycles, duration of the last one, and missed triggers: `ready · 1,204 · 43 ms · 2 missed`. A PLC that answers slowly is
 * never simply ready.
 */
function handshakeStatus(status: StatusLine): (handshake: DeployedHandshake) => void {
  let shown: unknown
  return (handshake) => {
    const { phase, counts, cell, trouble } = handshake
    const { accepted, missed } = counts
    const duration = cell?.lastDuration
    const after = [
      accepted > 0 ? `· ${grouped(accepted)}` : '',
      duration === undefined ? '' : `· ${took(duration)}`,
    ].filter(Boolean)
    // A trouble stays until the PLC is seen again and refuses nothing; one that was reported before is not reported again.
    const isInTrouble = phase === 'unknown' || cell?.refusal !== undefined
    if (!isInTrouble) status.left(undefined)
    else if (trouble !== undefined && trouble !== shown) status.left(asVisionError(trouble))
    shown = isInTrouble ? trouble : undefined
    const slowness = phase === 'ready' || phase === 'done' ? cell?.slowness : undefined
    const word = phase === 'unknown' ? missingOf(handshake) : words[phase]
    const more = {
      ...(after.length > 0 && { after: after.join(' ') }),
      ...(missed > 0 && { remark: { word: 'plcMissed' as const, count: missed } }),
    }
    // Two digits: a figure that changes with each answer says no more.
    if (slowness === undefined) status.background(word, 0, more)
    else status.background('plcSlow', took(Number(slowness.toPrecision(2))), more)
  }
}
