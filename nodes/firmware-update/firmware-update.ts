import type { NodeAPI, Node, NodeDef, NodeMessageInFlow } from 'node-red'
import type { Choices, FirmwareOptions } from '../../lib/firmware/types'
import { allowedFolders, filePlace } from '../shared/allowed-place'
import { isCommanded, pagesNeedLogin } from '../shared/permission'
import { number, type TypedName } from '../shared/read-fields'
import { numberOf, checkedFields } from '../shared/fields/checked-fields'
import { type NodeInput, onInput } from '../device/on-input'
import { firmwareUpdateNode, type FirmwareUpdateFields } from './fields'
import { sentencesOf } from '../sentences'
import { NodeAnswer, NoAnswer, type Outcome } from '../shared/outcome'
import { endOfOne, placesOf, updateOne, type Updater, requireLogin } from './update-one'
import { abandon, goOn, goOnAfterStart, UnderWay } from './unfinished'
import { rollOut, namesOf } from './roll-out'

const { invalidInput, nodeError, told } = sentencesOf('firmware-update')

/** A message with its values of the fields. */
export type UpdateRequest = NodeInput<TypedName<FirmwareUpdateFields>>

/** The settings for every run, including resumed ones. */
export type Settings = Pick<FirmwareOptions, 'allowedFolders' | 'timing'>

/** What a message requests, the same for all devices. */
export interface RequestedUpdate extends Pick<FirmwareOptions, 'source'> {
  choices: Choices
}

/** @throws INVALID_INPUT for an invalid time */
export function settingsOf(RED: NodeAPI, node: Node, fields: FirmwareUpdateFields): Settings {
  const patience = numberOf(firmwareUpdateNode, fields, 'patience')
  const stall = numberOf(firmwareUpdateNode, fields, 'stall')
  return {
    allowedFolders: allowedFolders(RED, node, fields.folders),
    timing: { patience, boot: patience, write: patience, stall },
  }
}

/** @throws INVALID_INPUT if nobody confirmed it, or there is no artifact */
function wantedOf(
  RED: NodeAPI,
  fields: FirmwareUpdateFields,
  { msg, read, text }: UpdateRequest,
): RequestedUpdate {
  const { mode, confirmed, onUnhealthy, onChanged, allowFallback } = fields
  // A command of a centre confirms nothing.
  const isConfirmed = confirmed || (msg['confirm'] === true && !isCommanded(msg))
  if (mode !== 'check' && !isConfirmed) throw invalidInput('firmware-not-confirmed')
  const source = read('source')
  const [version, sha256, size] = [text('version'), text('sha256'), text('size')]
  const usable = source instanceof Uint8Array || (typeof source === 'string' && source.trim() !== '')
  if ((mode === 'update' || mode === 'upload') && !usable) throw invalidInput('firmware-source')
  const expected = {
    ...(version && { version }),
    ...(sha256 && { sha256 }),
    ...(size && { size: number('size', size, 0, Number.MAX_SAFE_INTEGER) }),
  }
  return {
    choices: { mode, expected, onUnhealthy, onChanged, allowFallback },
    ...(usable && { source: typeof source === 'string' ? filePlace(RED, source.trim()) : source }),
  }
}

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
    told(isNeeded ? 'result-login' : 'result-no-login', {}, { value: isNeeded }),
  )
