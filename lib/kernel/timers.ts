/** Timers that cannot overflow, pauses, aborts, and work in slices. */
import { setMaxListeners } from 'node:events'
import { settled } from './scope'
import { setTimeout as wait, setImmediate as turn } from 'node:timers/promises'

/** The longest timer, milliseconds: 24.8 days. Node.js turns a longer one, and NaN, into 1 ms. */
export const longestTimer = 2 ** 31 - 1

/** Longer times, and NaN, become the longest timer. */
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

/** Resolves after this many milliseconds, at most 24.8 days, or as soon as the signal is aborted. Never rejects. */
export const pauseFor = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  settled(sleep(milliseconds, signal))

/** A signal that is aborted after this many milliseconds, at most 24.8 days. Does not keep the process alive. */
export const abortedAfter = (milliseconds: number): AbortSignal => AbortSignal.timeout(bounded(milliseconds))

/** Calls a listener when a signal is aborted. A node passes the same signal to all its calls; this is not a leak. */
export function watchAbort(signal: AbortSignal, listener: EventListenerOrEventListenerObject): void {
  // A signal from another library may not be a platform `EventTarget`.
  if (signal instanceof EventTarget) setMaxListeners(0, signal)
  signal.addEventListener('abort', listener)
}

const steps = 10

/**
 * Calls back after about this many milliseconds, counted in ten steps of which each waits for the one before: a process
 * that was stopped meanwhile, or is too busy, has waited for one step only, and first reads what has arrived. @returns
 * a function that cancels it
 */
export function patientTimeout(callback: () => void, milliseconds: number): () => void {
  let timer: NodeJS.Timeout | undefined
  let left = steps

  const step = () => {
    timer = left-- > 0 ? startTimeout(step, milliseconds / steps) : undefined
    if (left < 0) callback()
  }
  step()
  return () => {
    clearTimeout(timer)
    left = 0
    timer = undefined
  }
}

/** Ends work whose result is no longer needed. */
export const nobodyWaits = () => new DOMException('Nobody waits for the work any more.', 'AbortError')

/**
 * Runs work that yields after each of its small steps, and regularly yields to the event loop.
 * @param isOver checked after each pause; stops work that is no longer needed @throws AbortError in that case
 * @param slice milliseconds for which a piece may hold the event loop. @default 10
 */
export async function inSlices<Result>(
  work: Generator<unknown, Result>,
  isOver: () => boolean = () => false,
  slice = 10,
): Promise<Result> {
  for (let end = performance.now() + slice; ;) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() < end) continue
    await turn()
    if (isOver()) throw nobodyWaits()
    end = performance.now() + slice
  }
}
