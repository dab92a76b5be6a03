import { createHash, timingSafeEqual } from 'node:crypto'

/** The part of `settings.js` with the token; never in a flow or a message. */
export interface TokenSettings {
  visionMetricsToken?: unknown
}

/**
 * The token for metrics: `visionMetricsToken` in `settings.js`, or the environment variable `VISION_METRICS_TOKEN`.
 * @returns undefined where neither is set: then no token is valid
 */
export function tokenOf({
  visionMetricsToken: token = process.env['VISION_METRICS_TOKEN'],
}: TokenSettings): string | undefined {
  return typeof token === 'string' && token !== '' ? token : undefined
}

/** Whether a request has the token for metrics. @param authorization header of the request */
export function hasToken(authorization: string | undefined, settings: TokenSettings): boolean {
  const token = tokenOf(settings)
  if (token === undefined) return false
  const [, given] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  // Of the same length, and compared in the same time, whatever was given.
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
