import { invalidInput } from '../shared/node-error'
import { parameterNames } from '../shared/parameter-names'

/** A node of a device, and which of its parameters; none are all. */
export interface AskedNode {
  node: string
  names?: string[]
}

/**
 * Several nodes, given as a text with commas, as an array of names, or as an object of them. In an object, each node has
 * the names of its parameters as text or array, or an object of values, as `set-parameter` takes it: its names count.
 */
export function nodesAsked(given: unknown): AskedNode[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return parameterNames(given, 'node').map((node) => ({ node }))
  const nodes = Object.entries(given as Record<string, unknown>).map(([node, its]) => ({
    node,
    ...named(its),
  }))
  if (nodes.length === 0) throw invalidInput('empty-field', { field: 'node' })
  return nodes
}

function named(its: unknown): Pick<AskedNode, 'names'> {
  const isObject = typeof its === 'object' && its !== null && !Array.isArray(its)
  const list = isObject ? Object.keys(its) : its
  const isAll = list === '' || (Array.isArray(list) && list.length === 0)
  return isAll ? {} : { names: parameterNames(list, 'node') }
}
