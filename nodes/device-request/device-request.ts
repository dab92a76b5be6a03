import type { Node, NodeAPI, NodeDef } from 'node-red'
import { refusal, refusedError } from '../../lib/client/refusal'
import { loadContract } from '../device-config/admin/load-later'
import { onOwnNode } from '../device-config/on-own-node'
import { filePlace } from '../shared/file-place'
import { invalidInput, spoken } from '../shared/node-error'
import { number } from '../shared/number'
import { onInput } from '../shared/on-input'
import { deviceRequestFields, type DeviceRequestFields } from './fields'
import { mustBeConfirmed } from './must-be-confirmed'
import { operationNamed } from './operation-named'

export default (RED: NodeAPI) => {
  RED.nodes.registerType(
    'vision-device-request',
    function (this: Node, given: NodeDef & DeviceRequestFields) {
      RED.nodes.createNode(this, given)
      const fields = { ...deviceRequestFields, ...given }

      onInput(RED, this, fields, async ({ msg, device, read, signal }) => {
        const id = operationNamed(fields.operation.trim() || msg['operation'])
        if (mustBeConfirmed(id) && !fields.confirmed) throw invalidInput('not-confirmed', { what: id })
        const input = withFilePlace(RED, id, inputOf(read('input')))
        const deadline =
          fields.deadline === '' ? {} : { deadline: 1000 * number('deadline', fields.deadline, 0.001) }

        const payload = await onOwnNode(
          (asked, call) => device.onNode(asked, call),
          { id, input, signal },
          (which, its) => device.client.request(which, its, { signal, ...deadline }),
        )
        const refused = refusal(answerOf(payload))
        if (refused) {
          const place = { operation: id, what: id, device: device.client.address }
          throw refusedError(refused, { ...place, language: spoken() })
        }
        return { payload, operation: id }
      })
    },
  )
}

/** Nothing at all means no input. */
function inputOf(given: unknown): Record<string, unknown> {
  if (given === undefined || given === null || given === '') return {}
  if (typeof given === 'object' && !Array.isArray(given)) return given as Record<string, unknown>
  throw invalidInput('not-an-object', { field: 'input' })
}

/** The path of a file may be relative, as everywhere in Node-RED. */
function withFilePlace(
  RED: NodeAPI,
  id: ReturnType<typeof operationNamed>,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const { file } = input
  const isUpload = loadContract().operation(id).body?.encoding === 'multipart'
  return isUpload && typeof file === 'string' && file ? { ...input, file: filePlace(RED, file) } : input
}

/** What a service answered stands below its name. */
const answerOf = (result: unknown): unknown =>
  typeof result === 'object' && result !== null && 'response' in result ? result.response : result
