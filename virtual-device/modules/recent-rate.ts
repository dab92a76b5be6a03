import type { Environment } from '../module'

/** Events per second over the last `window` seconds, and the time of the last event. */
export function recentRate({ clock, now }: Pick<Environment, 'clock' | 'now'>, window = 5) {
  let times: number[] = []
  let last = 0
  return {
    note: () => {
      times = [...times.filter((time) => time > clock.now() - window), clock.now()]
      last = now()
    },
    perSecond: () => times.filter((time) => time > clock.now() - window).length / window,
    /** Device time, seconds since 1970; 0 before the first. */
    last: () => last,
  }
}
