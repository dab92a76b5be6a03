/** The node *system*: restart, time, network, licence. In: a command. Out: the proven state after it. */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { allowedPlace } from '../shared/allowed-place'
import { environmentText, type TypedName } from '../shared/read-fields'
import { onInput, type NodeInput } from '../device/on-input'
import { NodeAnswer, type OutcomeSummary } from '../shared/outcome'
import { actions, mustBeConfirmed } from './actions'
import { checkedFields, credentialsOf } from '../shared/fields/checked-fields'
import { actionNames, systemNode, type ActionName, type SystemCredentials, type SystemFields } from './fields'
import { isObject } from '../shared/is-object'
import { sentencesOf } from '../sentences'
import { say, summarize } from '../shared/sentences'

const { invalidInput } = sentencesOf('system')

const catalogue = '@cellsight/node-red-vision/system:system.action'

export default (RED: NodeAPI) => {
  RED.nodes.registerType<Node<SystemCredentials>, NodeDef & SystemFields, object, SystemCredentials>(
    'vision-system',
    function (config) {
      RED.nodes.createNode(this, config)
      const fields = checkedFields(RED, this, systemNode, config)
      if (!fields) return
      const place = allowedPlace(RED, this, fields.folders)

      const actionOf = (input: Pick<SystemInput, 'name'>) =>
        fields.action === 'message' ? namedAction(input) : fields.action

      const body = async (input: SystemInput) => {
        const action = actionOf(input)
        if (mustBeConfirmed(action) && !fields.confirmed) {
          const what = RED._(`${catalogue}.${action}`)
          throw invalidInput('not-confirmed', { what })
        }
        const hash = () => {
          const stored = environmentText(RED, this, 'hash', this.credentials.hash ?? '')
          const found = stored || input.msg['hash']
          if (typeof found === 'string' && found) return found
          throw invalidInput('empty-field', { field: 'hash' })
        }
        const placed = (path: string) => place(path, fields.valueType === 'str')
        const task = { ...input, fields: { ...fields, network: networkOf(fields) }, hash, placed }
        const payload = await actions[action](task)
        return new NodeAnswer(
          { payload, action },
          summaryOf(action, payload, RED._(`${catalogue}.${action}`)),
        )
      }
      onInput(RED, this, systemNode, fields, body, {
        changes: (input) => !/^(get|info|check)/.test(actionOf(input)),
      })
    },
    { credentials: credentialsOf(systemNode) },
  )
}

/** A message that names the action also brings the settings. */
const networkOf = ({ action, network }: SystemFields) => (action === 'message' ? 'object' : network)

type SystemInput = NodeInput<TypedName<SystemFields>>

function namedAction({ name }: Pick<SystemInput, 'name'>): ActionName {
  const named = name('asked')
  const action = actionNames.find((each) => each === named)
  if (action) return action
  throw invalidInput('unknown-action', { action: named, known: actionNames.join(', ') })
}

/** @param label of the action in the dialog */
function summaryOf(action: ActionName, payload: unknown, label: string): OutcomeSummary {
  if (isObject(payload) && typeof payload['ready'] === 'boolean') {
    const { ready, hostname } = payload
    const state = say(action === 'reboot' ? 'result-restarted' : ready ? 'result-ready' : 'result-starting')
    return summarize('result-state', { name: hostname, state }, { value: ready })
  }
  const isPlain = typeof payload === 'string'
  return isPlain
    ? summarize('result-state', { name: label, state: payload }, { value: payload })
    : summarize('result-operation', { operation: label })
}
