import { OptionalKind, Value, type TSchema } from '../../lib/typebox'
import { operation, type Fields, type OperationId } from '../../lib/contract'

type Input = Record<string, unknown>

/** Texts that fit the patterns of the contract. */
const texts = ['1', '2024-05-01 12:00:00', 'json', 'enable', 'sample']

/** A valid input of the operation with every optional field. */
export function sampleInput(id: OperationId): Input {
  const { params, query, body } = operation(id)
  const file = body?.encoding === 'multipart'
  return {
    ...samples(params),
    ...samples(query),
    ...(file ? { file: Buffer.from('artifact') } : samples(body?.fields)),
  }
}

/** A valid input with only the required fields. */
export function leastInput(id: OperationId): Input {
  const { params, query, body } = operation(id)
  const optional = Object.entries({ ...params, ...query, ...body?.fields })
    .filter(([, schema]) => OptionalKind in schema)
    .map(([name]) => name)
  return Object.fromEntries(Object.entries(sampleInput(id)).filter(([name]) => !optional.includes(name)))
}

/** A valid answer by the contract. */
export const sampleResult = (id: OperationId): unknown => sample(operation(id).result)

const samples = (fields: Fields = {}): Input =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, sample(schema)]))

function sample(schema: TSchema): unknown {
  const text = texts.find((one) => Value.Check(schema, one))
  if (text !== undefined && schema.type !== undefined) return text
  return Value.Create(schema) ?? 1
}
