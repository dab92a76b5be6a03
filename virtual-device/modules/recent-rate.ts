import type { Clock } from '../clock'

/** Events per second over the last `window` seconds, and the time of the last event. */
export function recentRate(clock: Clock, window = 5) {
  let times: number[] = []
  return {
    note: () => {
      times = [...times.filter((time) => time > clock.now() - window), clock.now()]
    },
    perSecond: () => times.filter((time) => time > clock.now() - window).length / window,
    /** Seconds since 1970; 0 before the first. */
    last: () => times.at(-1) ?? 0,
  }
}
