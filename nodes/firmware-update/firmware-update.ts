/**
 * The node *firmware update*: one device or a rollout. In: an image. Out: progress, and the version that runs at the end.
 * Continues after a restart of Node-RED.
 */
import type { NodeAPI, Node, NodeDef, NodeMessageInFlow } from 'node-red'
import { isCommanded, pagesNeedLogin } from '../shared/permission'
import { checkedFields } from '../shared/fields/checked-fields'
import { onInput } from '../device/on-input'
import { firmwareUpdateNode, type FirmwareUpdateFields } from './fields'
import { sentencesOf } from '../sentences'
import { NodeAnswer, NoAnswer, type Outcome } from '../shared/outcome'
import {
  endOfOne,
  placesOf,
  updateOne,
  type Updater,
  requireLogin,
  wantedOf,
  settingsOf,
  type UpdateRequest,
} from './update-one'
import { abandon, goOn, goOnAfterStart, UnderWay } from './unfinished'
import { rollOut, namesOf } from './roll-out'

const { nodeError, summarize } = sentencesOf('firmware-update')

/** Whether a message is for an update that is under way. */
const isOrder = ({ topic }: NodeMessageInFlow) =>
  topic === 'abort' || topic === 'approve' || topic === 'resume'

/** Messages that do not wait. */
const urgent = ({ topic }: NodeMessageInFlow) => topic === 'abort' || topic === 'approve' || topic === 'login'

export default (RED: NodeAPI) => {
  RED.nodes.registerType(
    'vision-firmware-update',
    function (this: Node, given: NodeDef & FirmwareUpdateFields) {
      RED.nodes.createNode(this, given)
      const fields = checkedFields(RED, this, firmwareUpdateNode, given)
      if (!fields) return
      const underWay = new UnderWay()
      const updater: Updater = { RED, node: this, fields, underWay, ...placesOf(RED) }

      const begin = async (asked: UpdateRequest): Promise<Outcome> => {
        const names = namesOf(asked.read('devices'))
        const wanted = wantedOf(RED, fields, asked)
        if (names.length > 0) return rollOut(updater, asked, names, wanted)
        const own = { id: fields.device, name: '', device: asked.device, leave: () => undefined }
        const { choices, ...source } = wanted
        const how = { ...settingsOf(RED, this, fields), ...choices, ...source }
        return endOfOne(await updateOne(updater, asked, own, how))
      }

      const abort = async () => {
        if ((await underWay.abort()) || (await abandon(updater))) return
        throw nodeError('REFUSED', 'firmware-nothing-to-abort')
      }

      const beginOwn = onInput(
        RED,
        this,
        firmwareUpdateNode,
        fields,
        async (asked) => {
          const { topic, payload } = asked.msg
          if (topic === 'login') return loginAnswer(pagesNeedLogin(RED))
          requireLogin(RED, asked.msg)
          if (topic === 'abort') await abort()
          else if (topic === 'approve') {
            if (isCommanded(asked.msg)) throw nodeError('FORBIDDEN', 'firmware-from-command')
            underWay.approve(payload !== false)
          } else return topic === 'resume' ? goOn(updater, asked) : begin(asked)
          return new NoAnswer()
        },
        { urgent, changes: ({ msg }) => msg.topic !== 'login' && (fields.mode !== 'check' || isOrder(msg)) },
      )
      goOnAfterStart(updater, (work) => beginOwn({ topic: 'resume' }, work))
    },
  )
}

/** Whether the pages of this Node-RED require a login. */
const loginAnswer = (isNeeded: boolean) =>
  new NodeAnswer(
    { payload: isNeeded },
    summarize(isNeeded ? 'result-login' : 'result-no-login', {}, { value: isNeeded }),
  )
