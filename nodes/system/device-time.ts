import { shown } from '../shared/shown'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('system')

/**
 * Converts a time to the device's format, `YYYY-MM-DD hh:mm:ss` in UTC: from a `Date`, milliseconds since 1970, or
 * text. Text without a zone is UTC; an empty one is now.
 * @throws INVALID_INPUT
 */
export function deviceTime(given: unknown): string {
  if (given === '' || given === undefined || given === null) return asUtc(new Date())
  const time =
    given instanceof Date || typeof given === 'number'
      ? new Date(given)
      : typeof given === 'string'
        ? new Date(withZone(given.trim()))
        : undefined
  if (time && !Number.isNaN(time.getTime())) return asUtc(time)
  throw invalidInput('bad-time', { value: shown(given) })
}

const asUtc = (time: Date) => time.toISOString().slice(0, 19).replace('T', ' ')

const withZone = (text: string) =>
  /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text
