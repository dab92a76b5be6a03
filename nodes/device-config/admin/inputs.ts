import { VisionError } from '../../../lib/client/vision-error'
import type { OperationId } from '../../../lib/contract'
import { loadContract } from '../../shared/load-later'
import { sentencesOf } from '../../sentences'

const { invalidInput } = sentencesOf('device-config')

/** The id of an operation that only reads. @throws INVALID_INPUT for any other */
export function readOperation(id: string): OperationId {
  const { isKnown, method } = described(id)
  if (!isKnown) throw unknown(id)
  if (method !== 'GET') throw invalidInput('not-a-read', { operation: id })
  return id as OperationId
}

/** The id of an operation that may change something. @throws INVALID_INPUT for any other */
export function changingOperation(id: string): OperationId {
  const { isKnown, method, encoding } = described(id)
  if (!isKnown) throw unknown(id)
  if (method === 'GET') throw invalidInput('not-a-change', { operation: id })
  // Its input may be a file path, and the file would then be read on this machine.
  if (encoding === 'multipart') throw invalidInput('no-upload-here', { operation: id })
  return id as OperationId
}

/** The inputs of an operation from a query, with texts converted to the types of the operation. */
export function inputOfQuery(id: OperationId, query: URLSearchParams): Record<string, unknown> {
  const { inputFields, operation } = loadContract()
  const fields = inputFields(operation(id))
  const input: Record<string, unknown> = {}
  for (const name of new Set(query.keys())) {
    const texts = query.getAll(name)
    const type: unknown = fields[name]?.['type']
    Object.defineProperty(input, name, {
      value: type === 'array' ? texts : texts.length > 1 ? texts : ofType(type, texts[0] ?? ''),
      enumerable: true,
    })
  }
  return input
}

/** A text that does not fit stays a text, which the operation then rejects by name. */
function ofType(type: unknown, text: string): unknown {
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  if ((type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(Number(text)))
    return Number(text)
  return text
}

function described(id: string) {
  const { operations, operation } = loadContract()
  if (!Object.hasOwn(operations, id)) return { isKnown: false }
  const { method, body } = operation(id as OperationId)
  return { isKnown: true, method, encoding: body?.encoding }
}

const unknown = (operation: string) =>
  new VisionError({ code: 'INVALID_INPUT', key: 'unknown-operation', values: { operation } })
