import { startTimeout } from '../../kernel/timers'
import { type CellCounts, CellFigures, type EndedCycle } from './figures'
import type { PlcPort, PortEvents } from './ports'
import type { WriteOutcome } from '../messages'
import { PlcError } from '../plc-error'
import type { CellData, PlcInputs } from '../rows'
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
} from '.'

export type { CellCounts, EndedCycle } from './figures'

/** Events of a cell, in order. */
export interface CellEvents {
  /** A cycle begins: once for each token. @param reaction milliseconds since the trigger; undefined for one by hand */
  onStart: (cycle: Cycle, reaction?: number) => void
  /** The cycle is abandoned; the outcome on the device is unknown. */
  onAbort?: (token: string, reason: string) => void
  onTold?: (told: ReportedEvent) => void
  /** A cycle has ended for the PLC. */
  onEnded?: (ended: EndedCycle) => void
  /** Phase, counters or link have changed. */
  onChange?: () => void
  /** The link has changed, or could not be made. @param reason why it is down */
  onLink?: (up: boolean, reason?: PlcError) => void
  onTrouble?: (error: unknown) => void
}

export type ReportedEvent = Extract<Effect, { type: 'told' }>

/** What became of an answer of the flow. */
export type Taken = 'answered' | 'late' | 'second' | 'foreign' | 'undelivered' | 'manual'

interface CellOptions extends Omit<HandshakeOptions, 'now'> {
  /** Opens the connection. @param known what the PLC had written before the start, as the journal has it @throws PlcError */
  openPort: (events: PortEvents, known?: PlcInputs) => Promise<PlcPort> | PlcPort
  /** Keeps an entry before anything that follows from it is done. */
  keep?: (entry: JournalEntry) => void
}

/** A running handshake: the state machine with its clock, journal and connection. */
export class PlcCell {
  readonly figures: CellFigures
  isUp = false
  readonly #machine: Handshake
  readonly #events: CellEvents
  readonly #keep: (entry: JournalEntry) => void
  #port: PlcPort | undefined
  #timer: NodeJS.Timeout | undefined
  /** By `performance.now()`; with a timer only. */
  #ringsAt = 0
  #written: Promise<WriteOutcome> = Promise.resolve('unconfirmed')
  /** `performance.now()` when the PLC last confirmed what was written to it, since the link is up. */
  #confirmedAt = -Infinity
  /** What became of the last write since the link is up. */
  #outcome: WriteOutcome | undefined
  /** How often the link has changed. */
  #ups = 0
  /** Why the PLC, though connected, was not read or written the last time. */
  readonly #refusals: { read?: unknown; write?: unknown } = {}

  private constructor({ keep = () => undefined, ...options }: CellOptions, events: CellEvents) {
    this.#machine = createHandshake({ ...options, now: performance.now() })
    this.figures = new CellFigures(options.codes)
    this.#events = events
    this.#keep = keep
  }

  /** @throws PlcError where the connection cannot be opened with these settings */
  static async open(options: CellOptions, events: CellEvents): Promise<PlcCell> {
    const cell = new PlcCell(options, events)
    // Reports of a port that is still opening wait until it can be written to.
    const early: (() => void)[] = []
    const soon = (report: () => void) => (cell.#port ? report() : void early.push(report))
    const portEvents: PortEvents = {
      onLink: (up, reason) => soon(() => cell.#link(up, reason)),
      onSample: (inputs, kept, write) =>
        soon(() => {
          cell.#refused('read', undefined)
          cell.figures.looked(inputs)
          cell.hear({ type: 'sample', inputs, ...(kept !== undefined && { kept }), ...(write && { write }) })
        }),
      onRead: (state) => soon(() => cell.hear({ type: 'read', state })),
      onTrouble: (error) => {
        if (cell.isUp) cell.#refused('read', error)
        events.onTrouble?.(error)
      },
    }
    cell.#port = await options.openPort(portEvents, options.journal?.plc)
    for (const report of early) report()
    return cell
  }

  get phase(): Phase {
    return this.#machine.phase
  }

  /**
   * Whether the PLC has taken part lately: it has confirmed a beat of the cell; where it confirms nothing, it has asked for
   * something in memory of the cell's own, or a reader has brought a value of it.
   */
  get isHeard(): boolean {
    const { isOwn = false, silence = 0, figures } = this.#port ?? {}
    const confirms = !isOwn && this.#outcome !== 'unconfirmed'
    const at = confirms ? this.#confirmedAt : (figures?.heardAt ?? -Infinity)
    const patience = Math.max(heartbeats + 3 * (figures?.responseTime ?? 0), silence)
    const within = isOwn ? ownSilence : patience
    return performance.now() - at <= within
  }

  /** Milliseconds to an answer of a PLC that answers slowly: a change takes two of them. */
  get slowness(): number | undefined {
    const time = this.#port?.figures.responseTime
    return time !== undefined && time >= slowResponse ? time : undefined
  }

  /** Why the PLC, though connected, takes nothing or gives nothing; undefined while it does both. */
  get refusal(): unknown {
    return this.#refusals.write ?? this.#refusals.read
  }

  get counts(): Readonly<CellCounts> {
    return this.figures.counts
  }

  /** Milliseconds of the last cycle that ended well. */
  get lastDuration(): number | undefined {
    return this.figures.lastDuration
  }

  get port(): PlcPort | undefined {
    return this.#port
  }

  /** Passes an event to the machine and carries out the effects. */
  hear(event: HandshakeEvent): readonly Effect[] {
    const effects = this.#machine.handle(event, performance.now())
    for (const effect of effects) this.#do(effect)
    this.#schedule()
    if (effects.length) this.#events.onChange?.()
    return effects
  }

  /** Ends the cycle with its results. Resolves when the PLC has them, or cannot get them. */
  async answer(token: string, data: CellData): Promise<Taken> {
    this.figures.manual.hasResults(token, data)
    return this.#end(token, { type: 'result', token, data })
  }

  /** Triggers a cycle for the person at the editor. @returns whether it began */
  triggerByHand(): boolean {
    return this.hear({ type: 'manual' }).some(({ type }) => type === 'start')
  }

  /** Ends the cycle with an error. */
  async fail(token: string, code: number): Promise<Taken> {
    return this.#end(token, { type: 'error', token, code })
  }

  /** The flow has ended a cycle that was answered before it did: *ready* need not wait for it. */
  settled(token: string): void {
    this.hear({ type: 'settled', token })
  }

  /** Writes the shutdown outputs, and ends the connection. */
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
    const outcome = await this.#written
    return takenAs[own ?? ''] ?? (outcome === 'lost' ? 'undelivered' : 'answered')
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
        this.#start(effect.cycle)
        return
      case 'abort':
        this.#events.onAbort?.(effect.token, effect.reason)
        return
      case 'told':
        this.figures.told(effect)
        this.#events.onTold?.(effect)
    }
  }

  #start(cycle: Cycle): void {
    const reaction = this.figures.started(cycle, this.#port?.isPolled === true)
    this.#events.onStart(cycle, reaction)
  }

  #write({ outputs, all }: Extract<Effect, { type: 'write' }>): void {
    this.figures.wrote(outputs)
    const port = this.#port
    if (!port) return
    const up = this.#ups
    this.#written = port.write(outputs, all).then(
      (outcome) => {
        if (up !== this.#ups) return outcome
        const isFirst = this.#outcome === undefined
        this.#outcome = outcome
        this.#refused('write', undefined)
        if (outcome === 'confirmed') this.#confirmedAt = performance.now()
        if (isFirst) this.#events.onChange?.()
        return outcome
      },
      (error: unknown) => {
        // A lost connection is reported by the port itself, once; a refusal that lasts is too.
        if (this.isUp && this.#refused('write', error)) this.#events.onTrouble?.(error)
        return 'lost'
      },
    )
  }

  /** Keeps why, and tells that it has changed. @returns whether it is another one than the last time */
  #refused(what: 'read' | 'write', error: unknown): boolean {
    const isAsBefore = keyOf(this.#refusals[what]) === keyOf(error)
    if (isAsBefore) return false
    this.#refusals[what] = error
    this.#events.onChange?.()
    return true
  }

  #journal(entry: JournalEntry): void {
    this.#keep(entry)
    const ended = this.figures.journaled(entry)
    if (ended) this.#events.onEnded?.(ended)
  }

  #link(up: boolean, reason?: PlcError): void {
    this.isUp = up
    this.#ups++
    this.#confirmedAt = -Infinity
    this.#outcome = undefined
    delete this.#refusals.read
    delete this.#refusals.write
    this.hear({ type: 'link', up, own: this.#port?.isOwn === true })
    this.#events.onLink?.(up, reason)
  }

  /** Sends the next clock event when it is due. A present timer that is earlier stays, and is set anew when it fires. */
  #schedule(): void {
    const { wakeAt } = this.#machine
    if (wakeAt === undefined) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      return
    }
    if (this.#timer && this.#ringsAt <= wakeAt) return
    clearTimeout(this.#timer)
    this.#ringsAt = wakeAt
    this.#timer = startTimeout(() => this.#ring(), Math.max(0, Math.ceil(wakeAt - performance.now())))
  }

  #ring(): void {
    this.#timer = undefined
    const { wakeAt } = this.#machine
    if (wakeAt !== undefined && wakeAt > performance.now()) this.#schedule()
    else this.hear({ type: 'clock' })
  }
}

const keyOf = (error: unknown): unknown => (error instanceof PlcError ? error.key : error)

/** Milliseconds of three heartbeats: a PLC that confirms none of them counts as absent. */
const heartbeats = 3000

/** The same for a PLC that reads and writes memory of the cell's own: some connect anew for every few requests. */
const ownSilence = 10_000

/** Milliseconds to an answer, from which on a PLC is called slow. */
const slowResponse = 300

/** Milliseconds for the shutdown outputs. */
const farewell = 1000

const takenAs: Readonly<Partial<Record<Told | '', Taken>>> = {
  late: 'late',
  second: 'second',
  foreign: 'foreign',
  undelivered: 'undelivered',
  'manual-done': 'manual',
  'manual-failed': 'manual',
}
