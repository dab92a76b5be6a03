import { createHash, timingSafeEqual } from 'node:crypto'

/** The part of `settings.js` with the token; never in a flow or a message. */
export interface TokenSettings {
  visionMetricsToken?: unknown
}

/**
 * Whether a request has the token for metrics: `visionMetricsToken` in `settings.js`, or the environment variable
 * `VISION_METRICS_TOKEN`. Without either, no token is valid.
 * @param authorization header of the request
 */
export function hasToken(
  authorization: string | undefined,
  { visionMetricsToken: token = process.env['VISION_METRICS_TOKEN'] }: TokenSettings,
): boolean {
  if (typeof token !== 'string' || token === '') return false
  const [, given] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  // Of the same length, and compared in the same time, whatever was given.
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
