import type { Node, NodeAPI, NodeDef, NodeMessageInFlow } from 'node-red'
import { NodeAnswer, NoAnswer, type Outcome } from '../shared/outcome'
import { isCommanded, pagesNeedLogin } from '../shared/permission'
import { onInput } from '../device/on-input'
import { endOfOne } from './ending'
import { checkedFields } from '../shared/fields/checked-fields'
import { firmwareUpdateNode, type FirmwareUpdateFields } from './fields'
import { abandon, goOn, goOnAfterStart } from './go-on'
import { rollOut } from './roll-out'
import { namesOf } from './targets'
import { UnderWay } from './under-way'
import { placesOf, updateOne, type Updater } from './update-one'
import { settingsOf, wantedOf, type UpdateRequest } from './wanted'
import { mustNotBeAnybodys } from './web-login'
import { sentencesOf } from '../sentences'

const { nodeError, told } = sentencesOf('firmware-update')

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
          mustNotBeAnybodys(RED, asked.msg)
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
    told(isNeeded ? 'result-login' : 'result-no-login', {}, { value: isNeeded }),
  )
