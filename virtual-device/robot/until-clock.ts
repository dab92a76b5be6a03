import { sleep } from '../../lib/timers/timers'
import type { Clock } from '../clock'

/** Longest time between two looks at the clock, ms: a clock that tests move tells nobody. */
const look = 20

/** Resolves when the clock has reached the time, or the wait is aborted. @param time seconds of the clock */
export async function untilClock(
  clock: Clock,
  time: () => number | undefined,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const end = time()
    if (end === undefined || signal.aborted) return
    const left = (end - clock.now()) * 1000
    if (left <= 0) return
    await sleep(Math.min(look, Math.max(1, left)), signal).catch(() => undefined)
  }
}
