import type { LinkState } from '../shared/status'

/** Seconds, so that the progress of a starting device is shown every half second. */
const whileStarting = 0.5
const first = 0.1
const longest = 10

/**
 * Seconds until the next check of a device. While it does not answer they grow at random, so that many devices do not
 * return at the same moment.
 */
export function pauseAfter(
  state: LinkState,
  failures: number,
  interval: number,
  random: () => number,
): number {
  if (state === 'ready') return interval
  if (state === 'starting') return Math.min(whileStarting, interval)
  const grown = Math.min(first * 2 ** Math.min(failures, 20), Math.max(longest, interval))
  return grown * (0.5 + random() / 2)
}
