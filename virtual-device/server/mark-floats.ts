import { Kind, type TSchema } from '../../lib/typebox'
import { asFloat, Float64 } from '../../lib/codec/json-value'

type Mark = (value: unknown) => unknown

/**
 * Marks the numbers of a value that its schema does not declare as integers, so that they are printed with a decimal
 * point.
 * @returns undefined for a schema without such numbers
 */
export function floatMarker(schema: TSchema): Mark | undefined {
  switch (schema[Kind]) {
    case 'Number':
      return (value) => (typeof value === 'number' ? asFloat(value) : value)
    case 'Array': {
      const mark = floatMarker(schema.items as TSchema)
      return mark && ((value) => (Array.isArray(value) ? value.map(mark) : value))
    }
    case 'Object': {
      const marks = Object.entries(schema.properties as Record<string, TSchema>).flatMap(([key, field]) => {
        const mark = floatMarker(field)
        return mark ? [[key, mark] as const] : []
      })
      return marks.length ? (value) => markedFields(value, marks) : undefined
    }
    default:
      return undefined
  }
}

function markedFields(value: unknown, marks: readonly (readonly [string, Mark])[]): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Float64) return value
  const marked: Record<string, unknown> = { ...value }
  for (const [key, mark] of marks) if (key in marked) marked[key] = mark(marked[key])
  return marked
}
