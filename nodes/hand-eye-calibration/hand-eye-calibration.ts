import type { Node, NodeAPI, NodeDef, NodeMessageInFlow } from 'node-red'
import { fixedNames } from '../device/fixed-names'
import { onInput } from '../device/on-input'
import { withDefaults } from '../shared/fields/fields-of'
import { handEyeCalibrationNode, type HandEyeCalibrationFields } from './fields'
import type { Inbound } from './inbound'
import { loadProcedure } from './load-procedure'
import { panelRoute } from './panel-route'
import type { PoseList, Session } from './session'
import { sleep } from '../../lib/timers/timers'
import { nodeError } from '../shared/sentences'

export default (RED: NodeAPI) => {
  panelRoute(RED)
  RED.nodes.registerType(
    'vision-hand-eye-calibration',
    function (this: Node, given: NodeDef & HandEyeCalibrationFields) {
      RED.nodes.createNode(this, given)
      const fields = withDefaults(handEyeCalibrationNode, given)
      let session: Session | undefined
      Object.defineProperty(this, 'calibration', { get: () => ({ fields, session }) })
      /** Messages by which the node continues a list itself, so that other messages can come in between. */
      const ownSteps = new WeakMap<NodeMessageInFlow, PoseList>()

      onInput(
        RED,
        this,
        fields,
        async ({ msg, device, read, text, name, signal, ...shown }) => {
          const procedure = loadProcedure()
          session ??= new procedure.Session()
          const setup = procedure.setupOf(fields)
          const asked = { pipeline: text('pipeline'), node: name('node'), signal }
          const inbound: Inbound = {
            ...shown,
            read,
            number: msg['poseNumber'],
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
          const ofDevice = new procedure.HandEyeDevice(device, asked, setup.deadline)
          return procedure.perform({ setup, session, device: ofDevice, settle }, inbound)
        },
        { names: fixedNames(RED, this, handEyeCalibrationNode, fields) },
      )
    },
  )
}

/** Waits until the robot has settled. @throws ABORTED if the node closes in the meantime */
async function settled(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, signal)
  } catch {
    throw nodeError('ABORTED', 'node-closed')
  }
}
