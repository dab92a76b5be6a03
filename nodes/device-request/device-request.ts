/** The node *device request*: any operation of the API. In: arguments of the operation. Out: its answer. */
import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'
import type { OperationId } from '../../lib/contract'
import { loadContract } from '../shared/load-later'
import { sentencesOf } from '../sentences'
import { operationLabel } from '../../lib/client/vision-error'
import { refusal, refusedError } from '../../lib/client/error-answer'
import { onOwnNode } from '../device/known-nodes'
import { allowedPlace, type PlacedFile } from '../shared/allowed-place'
import { isObject } from '../shared/is-object'
import { mustBeConfirmed, onlyReads } from '../shared/permission'
import { placeOf, currentLanguage } from '../shared/node-error'
import { onInput, type NodeInput } from '../device/on-input'
import type { TypedName } from '../shared/read-fields'
import { NodeAnswer } from '../shared/outcome'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { deviceRequestNode, type DeviceRequestFields } from './fields'

const { invalidInput, say, summarize } = sentencesOf('device-request')

/** Comparing longer texts would block the event loop. */
const longest = 100

/** The closest first; at most three. */
function nearNames(given: string, names: readonly string[]): string[] {
  if (given.length > longest) return []
  const target = given.toLowerCase()
  const furthest = Math.max(2, Math.floor(target.length / 3))
  return names
    .map((name) => ({ name, far: distance(target, name.toLowerCase()) }))
    .filter(({ name, far }) => far <= furthest || (target.length > 3 && name.toLowerCase().includes(target)))
    .sort((one, other) => one.far - other.far)
    .slice(0, 3)
    .map(({ name }) => name)
}

/** Levenshtein. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1]
    for (let at = 1; at <= to.length; at++)
      next.push(
        Math.min(
          (row[at] ?? 0) + 1,
          (next[at - 1] ?? 0) + 1,
          (row[at - 1] ?? 0) + (from[index] === to[at - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

/** @throws INVALID_INPUT with similar names if there is none */
function operationNamed(value: unknown): OperationId {
  if (value === undefined || value === '') throw invalidInput('empty-field', { field: 'operation' })
  if (typeof value !== 'string') throw invalidInput('not-text', { field: 'operation' })
  const id = value.trim()
  const { operations } = loadContract()
  if (Object.hasOwn(operations, id)) return id as OperationId
  const names = nearNames(id, Object.keys(operations))
  const near = names.length > 0 ? say('near-names', { names: names.join(', ') }) : ''
  throw invalidInput('no-operation', { operation: id.slice(0, 60), near })
}

export default (RED: NodeAPI) => {
  RED.nodes.registerType(
    'vision-device-request',
    function (this: Node, config: NodeDef & DeviceRequestFields) {
      RED.nodes.createNode(this, config)
      const fields = checkedFields(RED, this, deviceRequestNode, config)
      if (!fields) return
      const place = allowedPlace(RED, this, fields.folders)

      const operationOf = (msg: NodeMessage) => operationNamed(fields.operation.trim() || msg['operation'])

      const body = async ({ msg, device, read, signal }: NodeInput<TypedName<DeviceRequestFields>>) => {
        const id = operationOf(msg)
        if (mustBeConfirmed(id) && !fields.confirmed)
          throw invalidInput('not-confirmed', { what: operationLabel(id, currentLanguage()) })
        const input = await withFilePlace(id, inputOf(read('input')), (path) =>
          place(path, fileIsTyped(fields)),
        )
        const own = numberOf(deviceRequestNode, fields, 'deadline')
        const deadline = own === undefined ? {} : { deadline: 1000 * own }

        const payload = await onOwnNode(
          (query, call) => device.onNode(query, call),
          { id, input, signal },
          (which, its) => device.client.request(which, its, { signal, ...deadline }),
        )
        const refused = refusal(answerOf(payload))
        if (refused) throw refusedError(refused, { operation: id, ...placeOf(device.client) })
        return new NodeAnswer(
          { payload, operation: id },
          summarize('result-operation', { operation: operationLabel(id, currentLanguage()) }),
        )
      }
      onInput(RED, this, deviceRequestNode, fields, body, {
        changes: ({ msg, read }) => {
          const id = operationOf(msg)
          const { service } = inputOf(read('input'))
          return changesDevice(id) && !(typeof service === 'string' && onlyReads(service))
        },
      })
    },
  )
}

const changesDevice = (id: ReturnType<typeof operationNamed>) => loadContract().operation(id).method !== 'GET'

function inputOf(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null || value === '') return {}
  if (isObject(value)) return value
  throw invalidInput('not-an-object', { field: 'input' })
}

/** The path may be relative, as everywhere in Node-RED. @throws INVALID_INPUT if it is not allowed */
async function withFilePlace(
  id: ReturnType<typeof operationNamed>,
  input: Record<string, unknown>,
  placed: (path: string) => Promise<PlacedFile>,
): Promise<Record<string, unknown>> {
  const { file } = input
  const isUpload = loadContract().operation(id).body?.encoding === 'multipart'
  return isUpload && typeof file === 'string' && file ? { ...input, file: await placed(file) } : input
}

function fileIsTyped({ input, inputType }: DeviceRequestFields): boolean {
  if (inputType !== 'form' && inputType !== 'json') return false
  return typeof (JSON.parse(input) as { file?: unknown }).file === 'string'
}

const answerOf = (result: unknown): unknown =>
  typeof result === 'object' && result !== null && 'response' in result ? result.response : result
