import type { Shape } from '../../lib/contract'

/** An empty value of that shape, so that an answer has all its fields. */
export function emptyOf(shape: Shape): unknown {
  if (Array.isArray(shape)) return []
  if (typeof shape === 'object')
    return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, emptyOf(field)]))
  if (shape === 'string') return ''
  return shape === 'bool' ? false : 0
}
