import { startTimeout } from '../kernel/timers'

/** Something with a deadline. */
export interface Expiring {
  /** Called when the deadline has passed, never early. `now` is in milliseconds. */
  expire: (now: number) => void
  /** The timer of the deadline; used by `deadlines` only. */
  deadline?: NodeJS.Timeout | undefined
}

/**
 * The deadlines of calls. Node.js keeps timers of the same duration in one list, so that a timer for each call costs what
 * a timer wheel of our own did. They do not keep the process alive.
 */
export const deadlines = {
  /** Milliseconds of a monotonic clock. */
  now: (): number => performance.now(),

  /** Sets or moves a deadline. `at` is in milliseconds of `now()`. */
  set(entry: Expiring, at: number): void {
    clearTimeout(entry.deadline)
    // One more millisecond, because timers may fire up to a millisecond early.
    const left = Math.ceil(Math.max(0, at - deadlines.now())) + 1
    entry.deadline = startTimeout(() => entry.expire(deadlines.now()), left).unref()
  },

  remove(entry: Expiring): void {
    clearTimeout(entry.deadline)
    entry.deadline = undefined
  },
}
