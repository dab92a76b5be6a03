import { invalidInput } from '../shared/sentences'

/** Addresses of servers, given as comma-separated text or as an array; none removes those that are set. */
export function servers(given: unknown): string[] {
  const list: unknown[] = typeof given === 'string' ? given.split(',') : asArray(given)
  return list.map(asText).filter((server) => server !== '')
}

function asArray(given: unknown): unknown[] {
  if (Array.isArray(given)) return given
  throw invalidInput('not-a-list', { field: 'value' })
}

function asText(given: unknown): string {
  if (typeof given === 'string') return given.trim()
  throw invalidInput('not-a-list', { field: 'value' })
}
