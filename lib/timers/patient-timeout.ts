import { startTimeout } from './timers'

const steps = 10

/**
 * Calls back after about this many milliseconds, counted in ten steps, each of which waits for the next: a process that
 * was stopped meanwhile, or is too busy, has waited for one step only, and reads first what has arrived.
 * @returns a function that cancels it
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
