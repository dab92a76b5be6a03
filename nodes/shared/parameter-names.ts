import { invalidInput } from './node-error'

/** One name, given as text or as the record of a parameter. */
export function parameterName(given: unknown): string {
  const name = given && typeof given === 'object' && 'name' in given ? given.name : given
  if (typeof name === 'string' && name.trim()) return name.trim()
  throw invalidInput(name === '' ? 'empty-field' : 'not-text', { field: 'parameter' })
}

/** Several names, given as a text with commas or as an array of names or records; each only once. */
export function parameterNames(given: unknown): string[] {
  const list: unknown[] =
    typeof given === 'string' ? given.split(',').filter((name) => name.trim()) : asArray(given)
  if (list.length === 0) throw invalidInput('empty-field', { field: 'parameter' })
  return [...new Set(list.map(parameterName))]
}

function asArray(given: unknown): unknown[] {
  if (Array.isArray(given)) return given
  throw invalidInput('not-a-list', { field: 'parameter' })
}
