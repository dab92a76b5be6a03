import type { FirmwareRun } from '../../lib/firmware/types'
import { sentencesOf } from '../sentences'

const { nodeError } = sentencesOf('firmware-update')

/** Ends the work on several devices for good: no further one begins. */
interface Stoppable {
  stop: () => Promise<void>
}

/** What a node is updating at present, and how messages reach it meanwhile. */
export class UnderWay {
  readonly #runs = new Set<FirmwareRun>()
  #rollout: Stoppable | undefined
  #approval: ((approved: boolean) => void) | undefined

  /** Settles as the run does. */
  async follow(run: FirmwareRun) {
    this.#runs.add(run)
    try {
      return await run.done
    } finally {
      this.#runs.delete(run)
    }
  }

  /** Settles as the work on several devices does. */
  async followAll<Result>(rollout: Stoppable, work: () => Promise<Result>): Promise<Result> {
    this.#rollout = rollout
    try {
      return await work()
    } finally {
      this.#rollout = undefined
    }
  }

  /** Resolves with the answer whether the next wave may begin; false if the node closes. */
  approval(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const ended = () => this.approve(false)
      this.#approval = (approved) => {
        this.#approval = undefined
        signal.removeEventListener('abort', ended)
        resolve(approved)
      }
      signal.addEventListener('abort', ended)
      if (signal.aborted) ended()
    })
  }

  /** @throws REFUSED if nothing waits for approval */
  approve(approved: boolean): void {
    if (!this.#approval) throw nodeError('REFUSED', 'firmware-no-approval')
    this.#approval(approved)
  }

  /**
   * Ends everything for good that may still be ended; resolves when that would survive a power failure.
   * @returns false if nothing is in progress
   * @throws REFUSED if a device is restarting
   */
  async abort(): Promise<boolean> {
    const [runs, rollout] = [[...this.#runs], this.#rollout]
    if (runs.length === 0 && !rollout) return false
    await rollout?.stop()
    if (this.#approval) this.#approval(false)
    const aborted = await Promise.allSettled(runs.map((run) => run.abort()))
    for (const { status, reason } of aborted as { status: string; reason?: Error }[])
      if (status === 'rejected' && reason)
        throw rollout ? nodeError('REFUSED', 'firmware-abort-rest', { problem: reason.message }) : reason
    return true
  }
}
