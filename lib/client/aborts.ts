/** Something that can be ended from outside, at once. */
export interface Abortable {
  abort: () => void
}

/**
 * The calls that one signal ends. One listener for all of them: a flow node hands the same signal to every call, and
 * a listener each would be warned about as a leak.
 */
class Watch {
  readonly calls = new Set<Abortable>()

  handleEvent() {
    for (const call of [...this.calls]) call.abort()
  }
}

const watches = new WeakMap<AbortSignal, Watch>()

export function watchAbort(signal: AbortSignal, call: Abortable): void {
  let watch = watches.get(signal)
  if (!watch) watches.set(signal, (watch = new Watch()))
  if (watch.calls.size === 0) signal.addEventListener('abort', watch)
  watch.calls.add(call)
}

export function unwatchAbort(signal: AbortSignal, call: Abortable): void {
  const watch = watches.get(signal)
  if (watch?.calls.delete(call) && watch.calls.size === 0) signal.removeEventListener('abort', watch)
}
