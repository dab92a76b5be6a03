import type { Client, firmware } from '../../lib'

/** A point in a run at which something is killed: the index of the event within its step, from 0. */
export interface Point {
  step: firmware.Step
  nth: number
}

/**
 * Observes a run from outside: every progress message, every call before it is made and after it is answered, and every
 * part of an upload is a point.
 * @param reached called at each of them
 */
export function pointsOf(client: Client, reached: (point: Point) => void) {
  let now: Point = { step: 'check', nth: 0 }
  const at = (step: firmware.Step = now.step) => {
    now = step === now.step ? { step, nth: now.nth + 1 } : { step, nth: 0 }
    reached(now)
  }
  const watched = new Proxy(client, {
    get: (target, name: keyof Client) => {
      const call = target[name]
      if (typeof call !== 'function') return call
      return async (...args: unknown[]) => {
        at()
        const options = args[1] as { onProgress?: (progress: object) => unknown } | undefined
        if (name === 'uploadFirmware' && options) {
          const { onProgress } = options
          args[1] = {
            ...options,
            onProgress: async (progress: object) => {
              await onProgress?.(progress)
              at()
            },
          }
        }
        const answer = await (call as (...args: unknown[]) => Promise<unknown>)(...args)
        at()
        return answer
      }
    },
  })
  return { client: watched, onProgress: ({ step }: firmware.Progress) => at(step) }
}
