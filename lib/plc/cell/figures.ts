import { defaultCodes, type CodeTable } from '../codes'
import type { Cycle, Effect, JournalEntry } from '../handshake'
import type { CellSays, PlcSays } from '../rows'
import { Durations } from './durations'
import { ManualTriggers } from './manual-trigger'
import { Signals } from './signals'

/** What has happened since the start; triggers by hand are not counted. */
export interface CellCounts {
  accepted: number
  done: number
  failed: number
  missed: number
  /** Answers that were late, second or foreign. */
  dropped: number
}

/** How a cycle ended. */
export interface EndedCycle {
  token: string
  code: number
  /** Successful cycles by then. */
  counter: number
  /** Milliseconds from the message to the flow. */
  milliseconds: number
  /** The flow got a message: the trigger was not refused. */
  hasBegun: boolean
}

/** What people see of a cell: counters, times, and the words of both sides. Times are of `performance.now()`. */
export class CellFigures {
  readonly counts: CellCounts = { accepted: 0, done: 0, failed: 0, missed: 0, dropped: 0 }
  /** Milliseconds of the last cycle that ended well. */
  lastDuration: number | undefined
  /** The PLC's words as last seen. */
  seen: { says: PlcSays; at: number } | undefined
  /** The cell's words as last written. */
  shown: CellSays | undefined
  /**
   * From the trigger to the message to the flow. Where the PLC is polled, a trigger may have been set just after the poll
   * before: that time counts too.
   */
  readonly reactions = new Durations()
  /** From the message to the flow to the answer. */
  readonly cycles = new Durations()
  readonly manual = new ManualTriggers()
  readonly signals = new Signals()
  readonly #done: number
  readonly #opened = performance.now()
  readonly #began = new Map<string, number>()
  /** Milliseconds between the last two looks. */
  #unseen = 0

  constructor({ DONE }: CodeTable = defaultCodes) {
    this.#done = DONE
  }

  looked(says: PlcSays): void {
    const at = performance.now()
    this.#unseen = this.seen ? at - this.seen.at : 0
    this.seen = { says, at }
    this.signals.note(says, this.shown, at)
  }

  wrote(says: CellSays): void {
    this.shown = says
    this.signals.note(this.seen?.says, says, performance.now())
    if (says.resultsValid) this.lastDuration = says.duration
  }

  /** @returns milliseconds of the reaction; undefined for a trigger by hand */
  started(cycle: Cycle, isPolled: boolean): number | undefined {
    const now = performance.now()
    if (cycle.manual) {
      this.manual.started(cycle, now)
      return undefined
    }
    this.counts.accepted++
    const reaction = now - cycle.since + (isPolled ? this.#unseen : 0)
    this.reactions.add(reaction)
    return reaction
  }

  told(told: Extract<Effect, { type: 'told' }>): void {
    const { what } = told
    if (what === 'missed' || what === 'already-set') this.counts.missed++
    if (what === 'late' || what === 'second' || what === 'foreign') this.counts.dropped++
    this.manual.told(told, performance.now())
  }

  /** @returns how a cycle has ended, where the entry says so */
  journaled(entry: JournalEntry): EndedCycle | undefined {
    const now = performance.now()
    if (entry.kind === 'sent') this.#began.set(entry.token, now)
    if (entry.kind !== 'ended') return undefined
    const { token, code, counter } = entry
    if (code === this.#done) this.counts.done++
    else this.counts.failed++
    const milliseconds = now - (this.#began.get(token) ?? this.#opened)
    const hasBegun = this.#began.delete(token)
    if (hasBegun) this.cycles.add(milliseconds)
    return { token, code, counter, milliseconds, hasBegun }
  }
}
