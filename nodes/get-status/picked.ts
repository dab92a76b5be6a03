import { sentencesOf } from '../sentences'

const { nodeError } = sentencesOf('get-status')

type Values = Readonly<Record<string, unknown>>

/**
 * One of the values that a device reports, by name. A dot leads into a part: `ntp.synchronized`.
 * @param missing stands in for a missing value
 * @throws NOT_FOUND naming the available values
 */
export function picked(values: Values, name: string, missing?: null): unknown {
  let found: unknown = values
  for (const part of name.split('.')) {
    if (typeof found === 'object' && found !== null && Object.hasOwn(found, part))
      found = (found as Values)[part]
    else if (missing === null) return null
    else throw nodeError('NOT_FOUND', 'unknown-value', { value: name, known: Object.keys(values).join(', ') })
  }
  return found
}
