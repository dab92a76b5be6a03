import type { FirmwareRun } from '../../lib/firmware/types'
import { nodeError } from '../shared/node-error'

/** What a node is updating at present, and how messages that come meanwhile reach it. */
export class UnderWay {
  /** No further wave begins. */
  stopped = false
  readonly #runs = new Set<FirmwareRun>()
  #approval: ((approved: boolean) => void) | undefined

  begin(): void {
    this.stopped = false
  }

  async follow(run: FirmwareRun) {
    this.#runs.add(run)
    try {
      return await run.done
    } finally {
      this.#runs.delete(run)
    }
  }

  /** Resolves with the answer to whether the next wave may begin; false where the node closes. */
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

  /** @throws REFUSED where nothing waits for approval */
  approve(approved: boolean): void {
    if (!this.#approval) throw nodeError('REFUSED', 'firmware-no-approval')
    this.#approval(approved)
  }

  /**
   * Ends everything for good that may still be ended.
   * @throws REFUSED where nothing is under way, or a device is restarting
   */
  abort(): void {
    if (this.#runs.size === 0 && !this.#approval) throw nodeError('REFUSED', 'firmware-nothing-to-abort')
    this.stopped = true
    if (this.#approval) this.#approval(false)
    let refused: unknown
    for (const run of this.#runs)
      try {
        run.abort()
      } catch (error) {
        refused = error
      }
    if (refused) throw refused as Error
  }
}
