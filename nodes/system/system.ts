import type { Node, NodeAPI, NodeDef } from 'node-red'
import { allowedPlace } from '../shared/allowed-place'
import { environmentText } from '../shared/environment-text'
import { onInput, type NodeInput } from '../device/on-input'
import type { TypedName } from '../shared/field-kind'
import { NodeAnswer } from '../shared/outcome'
import { actions, mustBeConfirmed } from './actions'
import { toldOf } from './told-of'
import { credentialsOf, withDefaults } from '../shared/fields/fields-of'
import { actionNames, systemNode, type ActionName, type SystemCredentials, type SystemFields } from './fields'
import { invalidInput } from './sentences'

/** Namespace of the actions' labels. */
const catalogue = '@cellsight/node-red-vision/system:system.action'

export default (RED: NodeAPI) => {
  RED.nodes.registerType<Node<SystemCredentials>, NodeDef & SystemFields, object, SystemCredentials>(
    'vision-system',
    function (given) {
      RED.nodes.createNode(this, given)
      const fields = withDefaults(systemNode, given)
      const place = allowedPlace(RED, this, fields.folders)

      onInput(RED, this, fields, async (input) => {
        const action = fields.action === 'message' ? namedAction(input) : fields.action
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
        return new NodeAnswer({ payload, action }, toldOf(action, payload, RED._(`${catalogue}.${action}`)))
      })
    },
    { credentials: credentialsOf(systemNode) },
  )
}

/** If the message names the action, it also brings the settings. */
const networkOf = ({ action, network }: SystemFields) => (action === 'message' ? 'object' : network)

function namedAction({ name }: NodeInput<TypedName<SystemFields>>): ActionName {
  const named = name('asked')
  const action = actionNames.find((each) => each === named)
  if (action) return action
  throw invalidInput('unknown-action', { action: named, known: actionNames.join(', ') })
}
