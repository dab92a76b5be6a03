import type { ParameterNameValue } from '../../lib/contract'
import { isObject } from '../shared/is-object'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('set-parameter')

/** The values for one node of a device. */
export interface NodeValues {
  node: string
  values: ParameterNameValue[]
}

/** Parameters and values, `{ "fps": 10, "exp_auto": false }`. @throws INVALID_INPUT */
export function namedValues(given: unknown): ParameterNameValue[] {
  const values = entries(given, 'not-an-object').map(([name, value]) => ({ name, value }))
  if (values.length === 0) throw invalidInput('empty-field', { field: 'value' })
  return values
}

/** The same for several nodes, `{ "dev_camera": { "fps": 10 } }`. @throws INVALID_INPUT */
export function valuesByNode(given: unknown): NodeValues[] {
  const nodes = entries(given, 'not-by-node').map(([node, its]) => ({
    node,
    values: entries(its, 'not-by-node').map(([name, value]) => ({ name, value })),
  }))
  if (nodes.every(({ values }) => values.length === 0)) throw invalidInput('empty-field', { field: 'value' })
  return nodes.filter(({ values }) => values.length > 0)
}

function entries(given: unknown, key: 'not-an-object' | 'not-by-node'): [string, unknown][] {
  if (isObject(given)) return Object.entries(given)
  throw invalidInput(key, { field: 'value' })
}
