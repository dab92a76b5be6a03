/**
 * The node *hand-eye calibration*: poses one by one, from a list, or driven by the robot (`drive/`). In: poses and
 * commands. Out: advice, requests for poses, the result with its accuracy.
 */
import { asSentence, nodeError } from '../shared/sentences'
import type { Node, NodeAPI, NodeDef, NodeMessageInFlow } from 'node-red'
import { numberOf } from '../shared/fields/checked-fields'
import { mustBeLocal } from '../robot-motion/question'
import { robotOf } from '../robot-motion/deployed-robot'
import { fixedNames } from '../device/known-nodes'
import { onInput } from '../device/on-input'
import { normalizedCommand } from '../shared/permission'
import { checkedFields } from '../shared/fields/checked-fields'
import { Driving, isOrder } from './drive/driving'
import type { DriveJournal } from './drive/settings'
import { handEyeCalibrationNode, type HandEyeCalibrationFields } from './fields'
import type { Inbound } from './steps'
import { loadProcedure, panelRoutes, type PanelDrive } from './panel-routes'
import type { PanelOrder } from './drive/panel'
import type { PoseList, Session } from './session'
import { sleep } from '../../lib/kernel/timers'
import { statusLineOf } from '../shared/status'
import { whenStarted } from '../shared/handle-input'

export default (RED: NodeAPI) => {
  panelRoutes(RED)
  RED.nodes.registerType(
    'vision-hand-eye-calibration',
    function (this: Node, config: NodeDef & HandEyeCalibrationFields) {
      RED.nodes.createNode(this, config)
      const checked = checkedFields(RED, this, handEyeCalibrationNode, config)
      if (!checked) return
      const fields = checked
      let session: Session | undefined
      const driving = fields.drive === 'messages' ? undefined : new Driving()
      const deployed = fields.drive === 'robot' ? robotOf(RED, fields.robot) : undefined
      const leaveRobot = deployed?.join({ linked: () => undefined })
      let journal: DriveJournal | undefined
      const openJournal = () => (journal ??= loadProcedure().journalOf(RED, this))
      const ordered = new WeakMap<NodeMessageInFlow, PanelOrder>()
      const drive: PanelDrive | undefined = driving && {
        ...{ driving, deployed, journal: openJournal },
        order: (order, request) => {
          const msg = {
            _msgid: RED.util.generateId(),
            topic: order,
            payload: '',
            ...(request && { request }),
          }
          ordered.set(msg, order)
          this.receive(msg)
        },
      }
      Object.defineProperty(this, 'calibration', { get: () => ({ fields, session, drive }) })
      /** The node continues a list by these, so that other messages can come in between. */
      const ownSteps = new WeakMap<NodeMessageInFlow, PoseList>()

      onInput(
        RED,
        this,
        handEyeCalibrationNode,
        fields,
        async ({ msg, device, read, text, name, signal, ...shown }) => {
          // Anyone may stop.
          if (driving && commandIn(msg) !== 'stop') mustBeLocal(msg)
          const procedure = loadProcedure()
          session ??= new procedure.Session()
          const setup = procedure.setupOf(fields, deployed?.settings.numbers)
          const query = { pipeline: text('pipeline'), node: name('node'), signal }
          const inbound: Inbound = {
            ...shown,
            read: (field) => (field === 'command' ? ordered.get(msg) : undefined) ?? read(field),
            number: msg['poseNumber'],
            request: msg['request'],
            ownStep: ownSteps.get(msg),
            goOn: (list) => {
              const next = RED.util.cloneMessage(msg)
              ownSteps.set(next, list)
              this.receive(next)
            },
            answerBy: {
              command: fields.commandType === 'msg' ? fields.command : undefined,
              pose: fields.poseType === 'msg' ? fields.pose : 'payload',
            },
          }
          const settle = () => settled(1000 * setup.settling, signal)
          const ofDevice = new procedure.HandEyeDevice(device, query, setup.deadline)
          const parts = () => {
            const of = { fields, setup, deployed, device, pipeline: query.pipeline, signal }
            return procedure.drivePartsOf({
              ...of,
              driving: driving ?? new Driving(),
              journal: openJournal(),
            })
          }
          const observe = () => {
            const rows = numberOf(handEyeCalibrationNode, fields, 'gridRows')
            return procedure.ownSight({ device, pipeline: query.pipeline, rows, signal }, setup)
          }
          const step = { setup, session, device: ofDevice, settle, ...(!driving && { look: observe }) }
          return procedure.perform(step, inbound, driving && parts).catch((error: unknown) => {
            if (!driving?.isBusy && !isOrder(commandIn(msg))) driving?.display.failed(error)
            throw error
          })
        },
        {
          names: fixedNames(RED, this, handEyeCalibrationNode, fields),
          // Anyone may stop.
          changes: ({ msg }) => driving === undefined || commandIn(msg) !== 'stop',
          urgent: (msg) => driving !== undefined && (driving.isBusy || isOrder(commandIn(msg))),
        },
      )

      /** Only the message itself is known before its turn. */
      function commandIn(msg: NodeMessageInFlow): string {
        const { command, commandType } = fields
        return (
          ordered.get(msg) ??
          normalizedCommand(commandType === 'msg' ? RED.util.getMessageProperty(msg, command) : msg.topic)
        )
      }

      if (!driving) return
      const cancel = whenStarted(RED, () => {
        showInterrupted().catch((error: unknown) => this.error(asSentence(error)))
      })
      this.on('close', () => {
        cancel()
        leaveRobot?.()
      })

      /** After a restart, a calibration continues only by a message. */
      const showInterrupted = async () => {
        const { isUnderWay, problem } = await openJournal().overview()
        if (problem !== undefined) this.error(asSentence(problem), {})
        if (driving.isBusy) return
        if (problem !== undefined) statusLineOf(RED, this).rest('failed')
        else if (isUnderWay) statusLineOf(RED, this).rest('interrupted')
      }
    },
  )
}

/** @throws ABORTED if the node closes */
async function settled(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, signal)
  } catch {
    throw nodeError('ABORTED', 'node-closed')
  }
}
