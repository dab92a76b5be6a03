import type { Shape } from '../contract'
import { Float64, setOwn } from './json'

/**
 * Marks each number of a value that its shape declares as float64 or float32. Missing fields stay missing, and fields
 * outside the shape stay as they are. The value itself is not changed.
 */
export function shaped(value: unknown, shape: Shape): unknown {
  if (typeof shape === 'string')
    return shape.startsWith('float') && typeof value === 'number' ? new Float64(value) : value
  if (typeof value !== 'object' || value === null || value instanceof Float64) return value
  if (isList(shape)) {
    const [each] = shape
    return Array.isArray(value) && each !== undefined ? value.map((item) => shaped(item, each)) : value
  }
  if (Array.isArray(value)) return value
  const result: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) {
    const fieldShape = Object.hasOwn(shape, key) ? shape[key] : undefined
    setOwn(result, key, fieldShape === undefined ? field : shaped(field, fieldShape))
  }
  return result
}

const isList = (shape: Shape): shape is readonly [Shape] | readonly [] => Array.isArray(shape)
