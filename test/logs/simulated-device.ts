import { VisionError } from '../../lib/client/vision-error'
import type { Log, LogEntry, LogInfo } from '../../lib/contract'
import type { logs } from '../../lib'

/** What a simulation may do to a device. */
export interface Faults {
  /** Most entries of a log; then its oldest tenth is dropped, or it begins anew. */
  holds: number
  beginsAnew: boolean
  /**
   * Whether logs may be empty at first. One that fills and begins anew between two reads cannot be distinguished from
   * one that fills.
   */
  mayBeEmpty: boolean
  /** Most entries of a burst that differ, and of one whose entries are identical. */
  burst: number
  equalBurst: number
  /** The kinds of fault that may occur; bursts always do. */
  kinds: readonly DeviceTrouble[]
}
export type DeviceTrouble = 'clock' | 'network' | 'vanish' | 'reboot'

interface SimulatedLog {
  name: string
  entries: LogEntry[]
  /** Everything that was ever written. */
  written: LogEntry[]
  /** How many of these the follower has delivered, or were there before it. */
  arrived: number
  date: number
  isGone: boolean
  /** The rest of a burst, and the entry if all of it are identical. */
  burst: { left: number; entry?: LogEntry }
}

const texts = ['exposure adapted', 'temperature ok', 'no grid', 'lost lock', 'slow', 'connection timed out']
/** An empty text, several lines of text, and the remains of bytes that are not text. */
const oddTexts = ['', 'trace:\n  at one\n  at two', '\n', 'caf\ufffd \ufffd\ufffd']
const levels = ['DEBUG', 'INFO', 'INFO', 'WARN', 'ERROR']

/** A device whose time passes only on demand; all events depend on `random`. */
export class SimulatedDevice implements logs.LogSource {
  readonly logs: SimulatedLog[]
  #clock = 1_700_000_000
  #networkBackIn = 0
  readonly #resolution: number
  readonly #hidesSize: boolean
  readonly #saysOneThing: boolean
  /**
   * Whether the limit of an answer counts lines of text: it then has fewer entries, because some have several lines.
   */
  readonly #countsText: boolean
  readonly #random: () => number
  readonly #faults: Faults
  isQuiet = false
  /** Nothing happens before all logs have been read once: following begins there. */
  #hasBegun = false

  constructor(names: readonly string[], random: () => number, faults: Faults) {
    this.#random = random
    this.#faults = faults
    this.#resolution = this.#pick([1e-6, 1e-3, 1])
    this.#hidesSize = random() < 0.2
    this.#saysOneThing = random() < 0.2
    this.#countsText = random() < 0.2
    this.logs = names.map((name) => ({
      name,
      entries: [],
      written: [],
      arrived: 0,
      date: 0,
      isGone: false,
      burst: { left: 0 },
    }))
    for (const log of this.logs)
      if (!faults.mayBeEmpty || random() < 0.5)
        for (let left = 2 + this.#below(20); left > 0; left--) {
          this.#write(log, 1)
          this.#clock++
        }
    // Where following begins.
    for (const log of this.logs) log.arrived = log.written.length
  }

  get writtenEntries(): number {
    return this.logs.reduce((sum, { written }) => sum + written.length, 0)
  }

  /** These entries were delivered by the follower. */
  arrived(lines: readonly logs.LogLine[]): void {
    const last = lines.at(-1)
    const log = this.logs.find(({ name }) => name === last?.log)
    if (!log || !last) return
    const { timestamp, message } = last
    const isLast = (entry: LogEntry) => entry.timestamp === timestamp && entry.message === message
    log.arrived = Math.max(log.arrived, log.written.findLastIndex(isLast) + 1)
  }

  begin(): void {
    this.#hasBegun = true
  }

  /** After two more entries nothing fails or is written any more: these two show whether a log continues. */
  endTrouble(): void {
    this.isQuiet = true
    for (const log of this.logs) this.#write(log, 2)
  }

  /** Lets time pass in small steps in which things happen. */
  pass(milliseconds: number): void {
    for (let left = milliseconds; left > 0; left -= 200) this.#step(Math.min(200, left) / 1000)
  }

  listLogs = (): Promise<LogInfo[]> => {
    this.#request()
    return Promise.resolve(this.logs.filter(({ isGone }) => !isGone).map((log) => this.#info(log)))
  }

  getLog = ({ log: name, limit }: { log: string; limit: number }): Promise<Log> => {
    this.#request()
    const log = this.logs.find((one) => one.name === name && !one.isGone)
    if (!log) return Promise.reject(new VisionError({ code: 'NOT_FOUND', key: 'not-found' }))
    return Promise.resolve({ ...this.#info(log), log: this.#lastLines(log.entries, limit) })
  }

  #lastLines(entries: readonly LogEntry[], limit: number): LogEntry[] {
    if (!this.#countsText) return entries.slice(-limit)
    let lines = 0
    const first = entries.findLastIndex(({ message }) => (lines += message.split('\n').length) > limit)
    return entries.slice(first + 1)
  }

  /** Requests take time, and fail while the network is down. */
  #request() {
    this.#step(0.005)
    if (this.#networkBackIn > 0) throw new VisionError({ code: 'UNREACHABLE', key: 'unreachable' })
  }

  #info({ name, date, entries }: SimulatedLog): LogInfo {
    const size = entries.reduce((sum, { message }) => sum + message.length + 40, 0)
    return { name, date, ...(size > 0 && !this.#hidesSize && { size }) }
  }

  #step(seconds: number) {
    this.#clock += seconds
    if (!this.#hasBegun) return
    if (this.isQuiet) {
      this.#networkBackIn = 0
      for (const log of this.logs) log.isGone = false
      return
    }
    this.#networkBackIn = Math.max(0, this.#networkBackIn - seconds)
    for (const log of this.logs) {
      if (this.#random() < 4 * seconds) this.#write(log, this.#below(4))
      if (this.#random() < 0.1 * seconds) log.burst = { left: this.#below(this.#faults.burst) }
      if (this.#random() < 0.1 * seconds)
        log.burst = { left: this.#below(this.#faults.equalBurst), entry: this.#entry() }
      this.#goOn(log)
    }
    if (this.#random() >= 0.05 * seconds) return
    // Sometimes everything coincides.
    do this.#trouble(this.#pick(this.#faults.kinds))
    while (this.#random() < 0.4)
  }

  #trouble(kind: DeviceTrouble | undefined) {
    const log = this.#pick(this.logs)
    if (this.#random() < 0.2) this.#write(log, this.#below(2 * this.#faults.burst))
    if (kind === 'clock') this.#clock += this.#random() < 0.5 ? 3600 : -3600
    if (kind === 'network') this.#networkBackIn = this.#random() * (this.#random() < 0.2 ? 4000 : 20)
    if (kind === 'vanish') log.isGone = !log.isGone
    if (kind === 'reboot') {
      this.#networkBackIn = 5 + 20 * this.#random()
      for (const each of this.logs) {
        if (this.#random() < 0.3) this.#forget(each, this.#below(30))
        if (this.#random() < 0.2) {
          each.entries.length = 0
          // A log that was only ever seen empty cannot be distinguished from one that stays empty.
          if (each.arrived === 0) each.written.length = 0
        }
      }
    }
  }

  /** The newest entries were not on the disk yet. Those that have not been delivered count as never written. */
  #forget({ entries, written, arrived }: SimulatedLog, count: number) {
    const lost = entries.splice(Math.max(0, entries.length - count))
    written.length = Math.max(arrived, written.length - lost.length)
  }

  /** A burst comes in parts, and a read may fall between them. */
  #goOn(log: SimulatedLog) {
    if (log.burst.left === 0) return
    const count = Math.min(log.burst.left, this.#below(this.#pick([3, 30, 300, 3000])))
    log.burst.left -= count
    this.#write(log, count, log.burst.entry)
  }

  #write(log: SimulatedLog, count: number, equal?: LogEntry) {
    const takesTime = !equal && this.#random() < 0.5
    for (let index = 0; index < count; index++) {
      const entry = equal ?? this.#entry()
      log.entries.push(entry)
      log.written.push(entry)
      if (log.entries.length > this.#faults.holds)
        log.entries.splice(0, this.#faults.beginsAnew ? this.#faults.holds : this.#faults.holds / 10)
      if (takesTime) this.#clock += 1e-4
    }
    log.date = Math.floor(this.#clock)
  }

  #entry(): LogEntry {
    const timestamp = Math.floor(this.#clock / this.#resolution) * this.#resolution
    if (this.#saysOneThing) return { component: 'dev_api', level: 'INFO', message: 'alive', timestamp }
    const text = this.#random() < 0.05 ? this.#pick(oddTexts) : this.#pick(texts)
    const message = text + (this.#random() < 0.3 ? ` ${this.#below(1000)}` : '')
    return { component: this.#pick(['dev_camera', 'dev_api']), level: this.#pick(levels), message, timestamp }
  }

  #below(limit: number) {
    return Math.floor(this.#random() * (limit + 1))
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item
  }
}
