/** What people see of a cell: counters, durations, signals over time, triggers by hand. */
import { type CodeTable, defaultCodes } from '../codes'
import type { CellData, CellOutputs, PlcInputs } from '../rows'
import type { Cycle, Effect, JournalEntry } from '.'

/** What a person sees of a handshake as a line over time; `trigger`: the PLC asks for something and has no answer yet. */
export const signalNames = ['trigger', 'ready', 'busy', 'done', 'error'] as const

type SignalName = (typeof signalNames)[number]

/** A signal goes on or off, at milliseconds of `performance.now()`. */
interface SignalChange {
  at: number
  on: boolean
}

/** Changes of each signal, oldest first; before the first it was off. */
type SignalLines = Readonly<Record<SignalName, readonly SignalChange[]>>

/** Changes of one signal that are remembered. */
const most = 100

/** The last changes of the signals of a handshake. Adding one costs the same however many there were. */
export class Signals {
  readonly #changes: Record<SignalName, SignalChange[]> = {
    trigger: [],
    ready: [],
    busy: [],
    done: [],
    error: [],
  }

  /** @param plc the PLC's words as last seen @param cell the cell's words as last written */
  note(plc: PlcInputs | undefined, cell: CellOutputs | undefined, at: number): void {
    this.#set('trigger', plc !== undefined && asksIn(plc, cell), at)
    if (!cell) return
    for (const name of ['ready', 'busy', 'done', 'error'] as const) this.#set(name, cell[name], at)
  }

  get lines(): SignalLines {
    return this.#changes
  }

  #set(name: SignalName, on: boolean, at: number): void {
    const changes = this.#changes[name]
    if ((changes.at(-1)?.on ?? false) === on) return
    changes.push({ at, on })
    // Twice as many, then half of them: no list is shifted at each change.
    if (changes.length > 2 * most) changes.splice(0, most)
  }
}

/** A bit that is set, a command, or a number that was not answered yet. */
const asksIn = ({ trigger, sequence, command }: PlcInputs, cell: CellOutputs | undefined): boolean =>
  trigger ??
  (sequence !== undefined ? sequence !== 0 && sequence !== cell?.sequenceEcho : (command ?? 0) !== 0)

/** Durations that are remembered: of the last cycles. */
const remembered = 1000

/** Upper ends of the bars in milliseconds; longer ones are in a last bar. */
export const durationSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] as const

/** The last durations in a few numbers, milliseconds. */
export interface DurationSummary {
  /** At most the last 1000. */
  count: number
  p50: number
  p99: number
  most: number
  /** How many are within each of `durationSteps`, and above the one before; the last: above all of them. */
  bars: number[]
}

/** Durations of the last cycles. Adding one costs the same however many there are. */
export class Durations {
  readonly #ring = new Float64Array(remembered)
  #added = 0

  add(milliseconds: number): void {
    this.#ring[this.#added % remembered] = milliseconds
    this.#added++
  }

  /** Undefined before the first. */
  get summary(): DurationSummary | undefined {
    const sorted = this.#ring.slice(0, Math.min(this.#added, remembered)).sort()
    const count = sorted.length
    if (count === 0) return undefined
    // The least value that so many of all are not above.
    const quantile = (part: number) => sorted[Math.ceil(count * part) - 1] ?? 0
    const bars = Array.from({ length: durationSteps.length + 1 }, () => 0)
    for (const each of sorted) {
      const step = durationSteps.findIndex((most) => each <= most)
      const bar = step < 0 ? durationSteps.length : step
      bars[bar] = (bars[bar] ?? 0) + 1
    }
    return { count, p50: quantile(0.5), p99: quantile(0.99), most: sorted[count - 1] ?? 0, bars }
  }
}

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
class ManualTriggers {
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
  seen: { inputs: PlcInputs; at: number } | undefined
  /** The cell's words as last written. */
  shown: CellOutputs | undefined
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

  looked(inputs: PlcInputs): void {
    const at = performance.now()
    this.#unseen = this.seen ? at - this.seen.at : 0
    this.seen = { inputs, at }
    this.signals.note(inputs, this.shown, at)
  }

  wrote(outputs: CellOutputs): void {
    this.shown = outputs
    this.signals.note(this.seen?.inputs, outputs, performance.now())
    if (outputs.resultsValid) this.lastDuration = outputs.duration
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
