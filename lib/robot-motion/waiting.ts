import { robotError, RobotError } from './robot-error'
import { patientTimeout } from '../timers/patient-timeout'

interface Waiter<Value> {
  resolve: (value: Value) => void
  reject: (error: Error) => void
}

/** Those who wait for the next of something that comes again and again. */
export class Waiting<Value> {
  readonly #waiting = new Set<Waiter<Value>>()

  /**
   * @param within milliseconds
   * @param late makes the error of who waits too long
   * @throws RobotError; the reason of the signal as soon as it is aborted, or ABORTED
   */
  next(within: number, signal: AbortSignal | undefined, late: () => Error): Promise<Value> {
    return new Promise((resolve, reject) => {
      const end = () => {
        stop()
        signal?.removeEventListener('abort', aborted)
        this.#waiting.delete(waiter)
      }
      const waiter: Waiter<Value> = {
        resolve: (value) => {
          end()
          resolve(value)
        },
        reject: (error) => {
          end()
          reject(error)
        },
      }
      const aborted = () => {
        const reason: unknown = signal?.reason
        waiter.reject(
          reason instanceof RobotError ? reason : robotError({ code: 'ABORTED', key: 'robot-closed' }),
        )
      }
      const stop = patientTimeout(() => waiter.reject(late()), within)
      this.#waiting.add(waiter)
      if (signal?.aborted) aborted()
      else signal?.addEventListener('abort', aborted, { once: true })
    })
  }

  resolve(value: Value): void {
    for (const waiter of [...this.#waiting]) waiter.resolve(value)
  }

  fail(error: Error): void {
    for (const waiter of [...this.#waiting]) waiter.reject(error)
  }
}
