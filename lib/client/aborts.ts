import { setMaxListeners } from 'node:events'

/**
 * Calls a listener when a signal is aborted. A flow node passes the same signal to all its calls; this is not a leak.
 */
export function watchAbort(signal: AbortSignal, listener: EventListenerOrEventListenerObject): void {
  // A signal from another library may not be a platform `EventTarget`.
  if (signal instanceof EventTarget) setMaxListeners(0, signal)
  signal.addEventListener('abort', listener)
}
