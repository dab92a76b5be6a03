import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'
import { operationLabel } from '../../lib/client/vision-error'
import { refusal, refusedError } from '../../lib/client/error-answer'
import { onOwnNode } from '../device/known-nodes'
import { allowedPlace, type PlacedFile } from '../shared/allowed-place'
import { isObject } from '../shared/is-object'
import { loadContract } from '../shared/load-later'
import { mustBeConfirmed, onlyLooks } from '../shared/permission'
import { placeOf, spoken } from '../shared/node-error'
import { onInput, type NodeInput } from '../device/on-input'
import type { TypedName } from '../shared/read-fields'
import { NodeAnswer } from '../shared/outcome'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { deviceRequestNode, type DeviceRequestFields } from './fields'
import { operationNamed } from './operation-named'
import { invalidInput, told } from '../shared/sentences'

export default (RED: NodeAPI) => {
  RED.nodes.registerType(
    'vision-device-request',
    function (this: Node, given: NodeDef & DeviceRequestFields) {
      RED.nodes.createNode(this, given)
      const fields = checkedFields(RED, this, deviceRequestNode, given)
      if (!fields) return
      const place = allowedPlace(RED, this, fields.folders)

      const operationOf = (msg: NodeMessage) => operationNamed(fields.operation.trim() || msg['operation'])

      const body = async ({ msg, device, read, signal }: NodeInput<TypedName<DeviceRequestFields>>) => {
        const id = operationOf(msg)
        if (mustBeConfirmed(id) && !fields.confirmed)
          throw invalidInput('not-confirmed', { what: operationLabel(id, spoken()) })
        const input = await withFilePlace(id, inputOf(read('input')), (path) =>
          place(path, fileIsTyped(fields)),
        )
        const own = numberOf(deviceRequestNode, fields, 'deadline')
        const deadline = own === undefined ? {} : { deadline: 1000 * own }

        const payload = await onOwnNode(
          (asked, call) => device.onNode(asked, call),
          { id, input, signal },
          (which, its) => device.client.request(which, its, { signal, ...deadline }),
        )
        const refused = refusal(answerOf(payload))
        if (refused) throw refusedError(refused, { operation: id, ...placeOf(device.client) })
        return new NodeAnswer(
          { payload, operation: id },
          told('result-operation', { operation: operationLabel(id, spoken()) }),
        )
      }
      onInput(RED, this, deviceRequestNode, fields, body, {
        changes: ({ msg, read }) => {
          const id = operationOf(msg)
          const { service } = inputOf(read('input'))
          return changesDevice(id) && !(typeof service === 'string' && onlyLooks(service))
        },
      })
    },
  )
}

const changesDevice = (id: ReturnType<typeof operationNamed>) => loadContract().operation(id).method !== 'GET'

/** No value means no input. */
function inputOf(given: unknown): Record<string, unknown> {
  if (given === undefined || given === null || given === '') return {}
  if (isObject(given)) return given
  throw invalidInput('not-an-object', { field: 'input' })
}

/**
 * Resolves a file path, which may be relative, as everywhere in Node-RED. @throws INVALID_INPUT if it is not allowed
 */
async function withFilePlace(
  id: ReturnType<typeof operationNamed>,
  input: Record<string, unknown>,
  placed: (path: string) => Promise<PlacedFile>,
): Promise<Record<string, unknown>> {
  const { file } = input
  const isUpload = loadContract().operation(id).body?.encoding === 'multipart'
  return isUpload && typeof file === 'string' && file ? { ...input, file: await placed(file) } : input
}

/** Whether the file path is typed in the dialog instead of coming from another source. */
function fileIsTyped({ input, inputType }: DeviceRequestFields): boolean {
  if (inputType !== 'form' && inputType !== 'json') return false
  return typeof (JSON.parse(input) as { file?: unknown }).file === 'string'
}

/** The answer of a service is the value under its name. */
const answerOf = (result: unknown): unknown =>
  typeof result === 'object' && result !== null && 'response' in result ? result.response : result
