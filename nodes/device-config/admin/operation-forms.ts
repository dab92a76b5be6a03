import { OptionalKind, type TSchema } from '@sinclair/typebox'
import {
  groups,
  inputFields,
  type Method,
  type Operation,
  type OperationId,
  type Variant,
} from '../../../lib/contract'
import { summaryOf } from '../../../lib/contract/summary'
import type { FormShape, Group } from '../../shared/form/shape'

/** An operation as a dialog offers it. */
export interface OperationForm {
  id: string
  method: Method
  path: string
  /** What it does, in the language of the editor. */
  summary: string
  /** Only on these variants; missing on both. */
  variants?: readonly Variant[]
  shape: Group
}

/** All operations of the contract with what each asks for. */
/** @param language of the texts */
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
    return [name, isUpload && name === 'file' ? file : shapeOf(schema, required)] as const
  })
  return { is: 'group', fields: Object.fromEntries(fields) }
}

const file: FormShape = { is: 'leaf', type: 'file', required: true }

function shapeOf(schema: TSchema, required: boolean): FormShape {
  const { type, pattern, minLength, minimum, maximum, items, properties } = schema as Keywords
  const common = required ? { required } : {}
  if (type === 'array' && items) return { is: 'list', of: shapeOf(items, true), ...common }
  if (type === 'object' && properties) {
    const needed = new Set((schema['required'] as string[] | undefined) ?? [])
    const fields = Object.entries(properties).map(
      ([name, of]) => [name, shapeOf(of, needed.has(name))] as const,
    )
    return { is: 'group', fields: Object.fromEntries(fields), ...common }
  }
  if (type === 'object') return { is: 'leaf', type: 'json', ...common }
  const choices = choicesIn(pattern)
  return {
    is: 'leaf',
    type: type === 'boolean' ? 'bool' : (type ?? 'any'),
    ...(choices && { choices }),
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
    ...(required && type === 'string' && !minLength && !pattern && { mayBeEmpty: true }),
    ...common,
  }
}

interface Keywords {
  type?: string
  pattern?: string
  minLength?: number
  minimum?: number
  maximum?: number
  items?: TSchema
  properties?: Record<string, TSchema>
}

/** The texts of a pattern that lists them, `^(json|raw)$`. */
const choicesIn = (pattern?: string): string[] | undefined =>
  /^\^\(([\w|]+)\)\$$/.exec(pattern ?? '')?.[1]?.split('|')
