import { startTimeout } from '../../timers/timers'

/** How the interval was kept, milliseconds, over the last polls. */
export interface MeasuredInterval {
  /** Missing before the second poll. */
  mean?: number
  /** The longest; a pulse of the PLC that is shorter may be missed. */
  longest?: number
  /** Intervals that passed without a poll, because the one before had not ended. Since the start. */
  skipped: number
}

export interface Polling {
  readonly measured: MeasuredInterval
  /** No further poll begins. */
  stop: () => void
}

const remembered = 100

/**
 * Calls again and again at whole multiples of an interval after the start, by the monotonic clock: neither delays nor
 * early timers add up. While a call has not ended, its intervals pass without another.
 * @param poll must not throw
 */
export function startPolling(poll: () => Promise<void>, interval: number): Polling {
  const started = performance.now()
  const intervals: number[] = []
  let begun: number | undefined
  let slot = 0
  let skipped = 0
  let isStopped = false
  let timer = startTimeout(run, 0)

  function run(): void {
    const now = performance.now()
    if (begun !== undefined) intervals.push(now - begun)
    if (intervals.length > remembered) intervals.shift()
    begun = now
    void poll().then(next)
  }

  function next(): void {
    if (isStopped) return
    const now = performance.now() - started
    // A timer may fire a little early: the slot that has just been used does not come again.
    const following = Math.max(slot + 1, Math.ceil(now / interval))
    skipped += following - slot - 1
    slot = following
    timer = startTimeout(run, slot * interval - now)
  }

  return {
    get measured() {
      if (!intervals.length) return { skipped }
      const mean = intervals.reduce((sum, each) => sum + each, 0) / intervals.length
      return { mean, longest: Math.max(...intervals), skipped }
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
