import { setTimeout as wait } from 'node:timers/promises'

/** The longest timer, milliseconds: 24.8 days. Node.js makes a timer of 1 ms of a longer one and of NaN. */
export const longestTimer = 2 ** 31 - 1

/** Whatever is longer, or not a number, counts as the longest. */
const bounded = (milliseconds: number): number => (milliseconds < longestTimer ? milliseconds : longestTimer)

/** `setTimeout` that cannot overflow: of 24.8 days at most. */
export const startTimeout = (callback: () => void, milliseconds: number): NodeJS.Timeout =>
  setTimeout(callback, bounded(milliseconds))

/** The shortest pause of what happens again and again, milliseconds: a number in a dialog may be far too small. */
export const shortestInterval = 20

/** `setInterval` that cannot overflow: every 24.8 days at least, and every 20 ms at most. */
export const startInterval = (callback: () => void, milliseconds: number): NodeJS.Timeout =>
  setInterval(callback, Math.max(shortestInterval, bounded(milliseconds)))

/** Resolves after so many milliseconds, 24.8 days at most. @throws AbortError as soon as the signal is aborted */
export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  wait(bounded(milliseconds), undefined, { signal })

/** A signal that is aborted after so many milliseconds, 24.8 days at most. Does not keep the process alive. */
export const abortedAfter = (milliseconds: number): AbortSignal => AbortSignal.timeout(bounded(milliseconds))
