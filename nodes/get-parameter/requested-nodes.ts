import { isObject } from '../shared/is-object'
import { parameterNames } from '../shared/read-fields'
import { invalidInput } from '../shared/sentences'

/** A node of a device and the parameters requested; without names, all of them. */
export interface RequestedNode {
  node: string
  names?: string[]
}

/**
 * Several nodes, given as comma-separated text, as an array of names, or as an object. In an object, each node has the
 * names of its parameters as text or array, or an object of values as `set-parameter` takes it, of which only the names
 * are used.
 */
export function requestedNodes(given: unknown): RequestedNode[] {
  if (!isObject(given)) return parameterNames(given, 'node').map((node) => ({ node }))
  const nodes = Object.entries(given).map(([node, its]) => ({
    node,
    ...named(its),
  }))
  if (nodes.length === 0) throw invalidInput('empty-field', { field: 'node' })
  return nodes
}

function named(its: unknown): Pick<RequestedNode, 'names'> {
  const list = isObject(its) ? Object.keys(its) : its
  const isAll = list === '' || (Array.isArray(list) && list.length === 0)
  return isAll ? {} : { names: parameterNames(list, 'node') }
}
