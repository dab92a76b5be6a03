import { isVisionError } from './vision-error'

/**
 * Seconds that a device which asks to be left alone is left alone for at most by what goes on for ever: health checks, the
 * log follower, keepers. Where it asks for more, it is asked once in that time.
 */
export const longestRest = 300

/** Milliseconds for which a failure asks to leave the device alone: what its Retry-After says, up to five minutes. */
export function restAfter(error: unknown): number {
  const { retryAfter = 0 } = (isVisionError(error) && error.cause) || {}
  return 1000 * Math.min(retryAfter, longestRest)
}

/** A date as HTTP writes it, in its present and its two older forms. */
const httpDate =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (\d{2}[ -](Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/

/**
 * Seconds to wait, from a Retry-After header in seconds or as an HTTP date; undefined where it is neither.
 * @param now milliseconds since 1970
 */
export function parseRetryAfter(
  header: string | string[] | undefined,
  now: number = Date.now(),
): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (!text) return undefined
  // Some gateways send fractions, which the standard does not know.
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
  if (!httpDate.test(text)) return undefined
  // The oldest form names no zone and means GMT all the same.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000)
}
