import { OptionalKind, type TSchema } from '../../../typebox'
import { inputFields, type Method, type Operation, type Variant } from '../../operation'
import { summaryOf } from '../../summary'
import { groups, type OperationId } from '../..'
import { type FormShape, type Group, leaf } from './form-shape'

export interface OperationForm {
  id: string
  method: Method
  path: string
  summary: string
  /** @default both */
  variants?: readonly Variant[]
  shape: Group
}

/** All operations with their input forms. Too large for the editor's bundle, which requests the result instead. */
export const operationForms = (language?: string): OperationForm[] =>
  Object.values(groups).flatMap(({ operations }) =>
    Object.entries<Operation>(operations).map(([id, operation]) => {
      const { method, path, variants } = operation
      const summary = summaryOf(id as OperationId, language)
      return { id, method, path, summary, ...(variants && { variants }), shape: shapeOfOperation(operation) }
    }),
  )

function shapeOfOperation(operation: Operation): Group {
  const isUpload = operation.body?.encoding === 'multipart'
  const fields = Object.entries(inputFields(operation)).map(([name, schema]) => {
    const required = !(OptionalKind in schema)
    return [
      name,
      isUpload && name === 'file' ? leaf('file', { required }) : shapeOf(schema, required),
    ] as const
  })
  return { is: 'group', fields: Object.fromEntries(fields) }
}

function shapeOf(schema: TSchema, required: boolean): FormShape {
  const { type, pattern, minLength, minimum, maximum, items, properties, description } = schema as Keywords
  const common = required ? { required } : {}
  if (type === 'array' && items) return { is: 'list', of: shapeOf(items, true), ...common }
  if (type === 'object' && properties) {
    const needed = new Set((schema['required'] as string[] | undefined) ?? [])
    const fields = Object.entries(properties).map(
      ([name, of]) => [name, shapeOf(of, needed.has(name))] as const,
    )
    return { is: 'group', fields: Object.fromEntries(fields), ...common }
  }
  if (type === 'object') return leaf('json', common)
  return leaf(type === 'boolean' ? 'bool' : (type ?? 'any'), {
    choices: choicesIn(pattern),
    min: minimum,
    max: maximum,
    unit: type === 'number' ? unitIn(description) : undefined,
    mayBeEmpty: required && type === 'string' && !minLength && !pattern,
    ...common,
  })
}

/** The contract starts a number's description with its unit: `metres; needed for a DXF file`. */
const unitIn = (description = ''): string | undefined => unitNames[/^\w+(?=$|;)/.exec(description)?.[0] ?? '']
const unitNames: Partial<Record<string, string>> = { metres: 'm', seconds: 's' }

interface Keywords {
  type?: string
  description?: string
  pattern?: string
  minLength?: number
  minimum?: number
  maximum?: number
  items?: TSchema
  properties?: Record<string, TSchema>
}

/** The texts that a pattern lists, `^(json|raw)$`. */
const choicesIn = (pattern?: string): string[] | undefined =>
  /^\^\(([\w|]+)\)\$$/.exec(pattern ?? '')?.[1]?.split('|')
