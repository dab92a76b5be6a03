import { invalidInput } from './sentences'

/** One name, given as text or as a parameter's record. */
export function parameterName(given: unknown, field = 'parameter'): string {
  const name = given && typeof given === 'object' && 'name' in given ? given.name : given
  if (typeof name === 'string' && name.trim()) return name.trim()
  throw invalidInput(name === '' ? 'empty-field' : 'not-text', { field })
}

/** Several names, given as comma-separated text or as an array of names or records; without duplicates. */
export function parameterNames(given: unknown, field = 'parameter'): string[] {
  const list: unknown[] =
    typeof given === 'string' ? given.split(',').filter((name) => name.trim()) : asArray(given, field)
  if (list.length === 0) throw invalidInput('empty-field', { field })
  return [...new Set(list.map((name) => parameterName(name, field)))]
}

function asArray(given: unknown, field: string): unknown[] {
  if (Array.isArray(given)) return given
  throw invalidInput('not-a-list', { field })
}
