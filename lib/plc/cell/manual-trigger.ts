import type { Cycle, Effect } from '../handshake'
import type { CellData } from '../rows'

/** The last trigger by hand, for the person who pressed it. */
export interface ManualTrigger {
  state: 'running' | 'done' | 'failed'
  /** 0 is done; undefined while it is running. */
  code?: number
  /** Milliseconds from the trigger to the answer. */
  duration?: number
  /** The results, none of which the PLC gets. */
  data?: CellData
}

/** Remembers the last trigger by hand and how it ended. */
export class ManualTriggers {
  #token: string | undefined
  #began = 0
  last: ManualTrigger | undefined

  started({ token }: Cycle, now: number): void {
    this.#token = token
    this.#began = now
    this.last = { state: 'running' }
  }

  /** The flow has brought results for that token. */
  hasResults(token: string, data: CellData): void {
    if (token === this.#token && this.last) this.last = { ...this.last, data }
  }

  told({ what, token, code }: Extract<Effect, { type: 'told' }>, now: number): void {
    if (what !== 'manual-done' && what !== 'manual-failed') return
    if (token === undefined || token !== this.#token) return
    const { data } = this.last ?? {}
    this.last = {
      state: what === 'manual-done' ? 'done' : 'failed',
      ...(code !== undefined && { code }),
      duration: now - this.#began,
      // A late answer, after the deadline, changes nothing of how it ended.
      ...(what === 'manual-done' && data && { data }),
    }
    this.#token = undefined
  }
}
