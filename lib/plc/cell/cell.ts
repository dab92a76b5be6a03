import { startTimeout } from '../../timers/timers'
import {
  createHandshake,
  type Cycle,
  type Effect,
  type Handshake,
  type HandshakeEvent,
  type HandshakeOptions,
  type JournalEntry,
  type Phase,
  type Told,
} from '../handshake'
import { defaultCodes, type CodeTable } from '../codes'
import type { PlcError } from '../plc-error'
import type { CellData } from '../rows'
import type { PlcPort, PortEvents } from './port'

/** What a cell reports, each at once and in order. */
export interface CellEvents {
  /** A cycle begins: once for each token. */
  onStart: (cycle: Cycle) => void
  /** Nobody waits for the cycle any more; what the device does is unknown. */
  onAbort?: (token: string, reason: string) => void
  onTold?: (told: ToldEvent) => void
  /** A cycle has ended for the PLC. */
  onEnded?: (ended: EndedCycle) => void
  /** Phase, counters or link have changed. */
  onChange?: () => void
  /** The link has changed, or something is wrong with it. */
  onLink?: (up: boolean, reason?: PlcError) => void
  onTrouble?: (error: unknown) => void
}

/** How a cycle ended. */
export interface EndedCycle {
  code: number
  /** Successful cycles by then. */
  counter: number
  /** Milliseconds from the message to the flow. */
  milliseconds: number
}

export type ToldEvent = Extract<Effect, { type: 'told' }>

/** How an answer of the flow was taken. */
export type Taken = 'answered' | 'late' | 'second' | 'foreign' | 'undelivered' | 'manual'

export interface CellOptions extends Omit<HandshakeOptions, 'now'> {
  /** Opens the connection. @throws PlcError */
  openPort: (events: PortEvents) => Promise<PlcPort> | PlcPort
  /** Keeps an entry before anything that follows from it is done. */
  keep?: (entry: JournalEntry) => void
}

/** What has happened since the start. */
export interface CellCounts {
  accepted: number
  done: number
  failed: number
  missed: number
  /** Answers that were late, second or foreign. */
  dropped: number
}

/** One handshake at work: the state machine, its clock, its journal and its connection. */
export class PlcCell {
  readonly counts: CellCounts = { accepted: 0, done: 0, failed: 0, missed: 0, dropped: 0 }
  /** Milliseconds of the last cycle that ended well. */
  lastDuration: number | undefined
  isUp = false
  readonly #machine: Handshake
  readonly #codes: CodeTable
  readonly #events: CellEvents
  readonly #keep: (entry: JournalEntry) => void
  /** When the cycle under way was sent to the flow. */
  #sentAt = performance.now()
  #port: PlcPort | undefined
  #timer: NodeJS.Timeout | undefined
  #written: Promise<void> = Promise.resolve()

  private constructor({ keep = () => undefined, ...options }: CellOptions, events: CellEvents) {
    this.#machine = createHandshake({ ...options, now: performance.now() })
    this.#codes = options.codes ?? defaultCodes
    this.#events = events
    this.#keep = keep
  }

  /** @throws PlcError where the connection cannot be opened with these settings */
  static async open(options: CellOptions, events: CellEvents): Promise<PlcCell> {
    const cell = new PlcCell(options, events)
    // What the port reports while it opens is heard once there is a port to answer by.
    const early: (() => void)[] = []
    const soon = (report: () => void) => (cell.#port ? report() : void early.push(report))
    cell.#port = await options.openPort({
      onLink: (up, reason) => soon(() => cell.#link(up, reason)),
      onSample: (says, kept) =>
        soon(() => cell.hear({ type: 'sample', says, ...(kept !== undefined && { kept }) })),
      onTrouble: (error) => events.onTrouble?.(error),
    })
    for (const report of early) report()
    return cell
  }

  get phase(): Phase {
    return this.#machine.phase
  }

  get port(): PlcPort | undefined {
    return this.#port
  }

  /** Tells the machine what has happened. */
  hear(event: HandshakeEvent): readonly Effect[] {
    const effects = this.#machine.handle(event, performance.now())
    for (const effect of effects) this.#do(effect)
    this.#schedule()
    if (effects.length) this.#events.onChange?.()
    return effects
  }

  /** Ends the cycle with its results. Resolves when the PLC has them, or cannot be told. */
  async answer(token: string, data: CellData): Promise<Taken> {
    return this.#end(token, { type: 'result', token, data })
  }

  /** Ends the cycle with an error. */
  async fail(token: string, code: number): Promise<Taken> {
    return this.#end(token, { type: 'error', token, code })
  }

  /** Tells the PLC that nobody is there, and ends the connection. */
  async close(): Promise<void> {
    this.hear({ type: 'close' })
    clearTimeout(this.#timer)
    await Promise.race([
      this.#written,
      new Promise<void>((resolve) => startTimeout(resolve, farewell).unref()),
    ])
    await this.#port?.close()
  }

  async #end(token: string, event: HandshakeEvent): Promise<Taken> {
    const told = this.hear(event).flatMap((effect) => (effect.type === 'told' ? [effect] : []))
    const own = told.find((each) => each.token === token)?.what
    await this.#written
    return takenAs[own ?? ''] ?? 'answered'
  }

  #do(effect: Effect): void {
    switch (effect.type) {
      case 'write':
        this.#write(effect)
        return
      case 'journal':
        this.#journal(effect.entry)
        return
      case 'start':
        this.counts.accepted++
        this.#events.onStart(effect.cycle)
        return
      case 'abort':
        this.#events.onAbort?.(effect.token, effect.reason)
        return
      case 'told': {
        const { what } = effect
        if (what === 'missed' || what === 'already-set') this.counts.missed++
        if (what === 'late' || what === 'second' || what === 'foreign') this.counts.dropped++
        this.#events.onTold?.(effect)
      }
    }
  }

  #write({ says, all }: Extract<Effect, { type: 'write' }>): void {
    const port = this.#port
    if (says.resultsValid) this.lastDuration = says.duration
    if (!port) return
    this.#written = port.write(says, all).catch((error: unknown) => {
      // A lost connection is reported by the port itself, once.
      if (this.isUp) this.#events.onTrouble?.(error)
    })
  }

  #journal(entry: JournalEntry): void {
    this.#keep(entry)
    const now = performance.now()
    if (entry.kind === 'sent') this.#sentAt = now
    if (entry.kind !== 'ended') return
    const { code, counter } = entry
    if (code === this.#codes.DONE) this.counts.done++
    else this.counts.failed++
    this.#events.onEnded?.({ code, counter, milliseconds: now - this.#sentAt })
  }

  #link(up: boolean, reason?: PlcError): void {
    this.isUp = up
    this.hear({ type: 'link', up })
    this.#events.onLink?.(up, reason)
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    const { wakeAt } = this.#machine
    if (wakeAt === undefined) return
    this.#timer = startTimeout(
      () => this.hear({ type: 'clock' }),
      Math.max(0, Math.ceil(wakeAt - performance.now())),
    )
  }
}

/** Milliseconds for the last words. */
const farewell = 1000

const takenAs: Readonly<Partial<Record<Told | '', Taken>>> = {
  late: 'late',
  second: 'second',
  foreign: 'foreign',
  undelivered: 'undelivered',
  'manual-done': 'manual',
  'manual-failed': 'manual',
}
