import { setTimeout as wait } from 'node:timers/promises'

/** The longest timer, milliseconds: 24.8 days. Node.js turns a longer one, and NaN, into 1 ms. */
export const longestTimer = 2 ** 31 - 1

/** A longer time, or one that is not a number, becomes the longest timer. */
const bounded = (milliseconds: number): number => (milliseconds < longestTimer ? milliseconds : longestTimer)

/** `setTimeout` that cannot overflow: at most 24.8 days. */
export const startTimeout = (callback: () => void, milliseconds: number): NodeJS.Timeout =>
  setTimeout(callback, bounded(milliseconds))

/** The shortest interval of repeated work, milliseconds: a number in a dialog may be far too small. */
export const shortestInterval = 20

/** `setInterval` that cannot overflow: between every 20 ms and every 24.8 days. */
export const startInterval = (callback: () => void, milliseconds: number): NodeJS.Timeout =>
  setInterval(callback, Math.max(shortestInterval, bounded(milliseconds)))

/** Resolves after this many milliseconds, at most 24.8 days. @throws AbortError as soon as the signal is aborted */
export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  wait(bounded(milliseconds), undefined, { signal })

/** A signal that is aborted after this many milliseconds, at most 24.8 days. Does not keep the process alive. */
export const abortedAfter = (milliseconds: number): AbortSignal => AbortSignal.timeout(bounded(milliseconds))
