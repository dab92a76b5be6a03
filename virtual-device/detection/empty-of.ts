import type { Shape } from '../../lib/contract'

/** A value of that shape with nothing in it, so that an answer has all its fields. */
export function emptyOf(shape: Shape): unknown {
  if (Array.isArray(shape)) return []
  if (typeof shape === 'object')
    return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, emptyOf(field)]))
  if (shape === 'string') return ''
  return shape === 'bool' ? false : 0
}
