import { setMaxListeners } from 'node:events'

/** Tells a listener when a signal is aborted. A flow node hands the same signal to all its calls, which is no leak. */
export function watchAbort(signal: AbortSignal, listener: EventListenerOrEventListenerObject): void {
  // A signal of another library may be none of the platform's.
  if (signal instanceof EventTarget) setMaxListeners(0, signal)
  signal.addEventListener('abort', listener)
}
