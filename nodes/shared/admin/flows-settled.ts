import type { NodeAPI } from 'node-red'
import { startTimeout } from '../../../lib/timers/timers'

/** Milliseconds; Node-RED gives its nodes 15 s to close. */
const patience = 15_000

interface RuntimeEvent {
  id: string
  /** `deploy`: this stop or start is a part of a deploy. */
  payload?: { deploy?: boolean }
}

/**
 * Lets requests of the editor wait while Node-RED replaces its flows, because it answers a deploy before it starts the new
 * nodes. The wait ends early if the flows cannot start or the signal is aborted.
 */
export function flowsSettled({ events }: NodeAPI): (signal: AbortSignal) => Promise<void> {
  const waiting = new Set<() => void>()
  let isReplacing = false
  const settle = () => {
    isReplacing = false
    for (const go of waiting) go()
  }
  events.on('flows:stopping', () => (isReplacing = true))
  events.on('flows:started', settle)
  // Somebody has stopped the flows, or they cannot start, such as when a node type is missing.
  events.on('runtime-event', ({ id, payload }: RuntimeEvent) => {
    if (id === 'runtime-state' && !payload?.deploy) settle()
  })

  return (signal) =>
    !isReplacing || signal.aborted
      ? Promise.resolve()
      : new Promise((resolve) => {
          const go = () => {
            clearTimeout(timer)
            signal.removeEventListener('abort', go)
            waiting.delete(go)
            resolve()
          }
          const timer = startTimeout(go, patience)
          signal.addEventListener('abort', go)
          waiting.add(go)
        })
}
