import { isVisionError } from './vision-error'

/**
 * Longest Retry-After, in seconds, that endless loops obey: health checks, the log follower, keepers. If the device
 * asks for more, they ask once in this time.
 */
export const longestRest = 300

/** Milliseconds to wait after a failure: its Retry-After, up to five minutes. */
export function restAfter(error: unknown): number {
  const { retryAfter = 0 } = (isVisionError(error) && error.cause) || {}
  return 1000 * Math.min(retryAfter, longestRest)
}

/** An HTTP date, in its current and its two obsolete forms. */
const httpDate =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (\d{2}[ -](Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/

/**
 * Parses a Retry-After header, in seconds or as an HTTP date, into seconds to wait; undefined if it is neither.
 * @param now milliseconds since 1970
 */
export function parseRetryAfter(
  header: string | string[] | undefined,
  now: number = Date.now(),
): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (!text) return undefined
  // Some gateways send fractions, although the standard does not allow them.
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
  if (!httpDate.test(text)) return undefined
  // The oldest form names no zone and means GMT.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000)
}
