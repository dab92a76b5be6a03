import { startTimeout } from '../../kernel/timers'
import type { PlcError } from '../plc-error'
import { type IsChanged, type Item, messagesError, type Step } from './message'

interface DeliveryOptions {
  /** The messages for these values. */
  steps: (items: readonly Item[], isChanged: IsChanged) => Step[]
  /** @returns false where nobody takes the message */
  send: (message: object) => boolean
  /** Values that do not arrive although they were repeated; once, until they do. */
  onTrouble: (error: PlcError) => void
  /** Milliseconds after which a message is sent again whose values do not read back; each time twice as long. @default 1000 */
  patience?: number
}

/** What became of a write: the PLC has it, it has left and is not read back, or the connection was lost before. */
export type WriteOutcome = 'confirmed' | 'unconfirmed' | 'lost'

interface Write {
  items: readonly Item[]
  /** Its callers; several if a newer write has replaced an older one. */
  ended: { resolve: (outcome: WriteOutcome) => void; reject: (error: PlcError) => void }[]
  outcome: WriteOutcome
}

/** Response times that are remembered. */
const rememberedResponses = 9

/** Longest wait before a message is sent again, milliseconds. */
const mostPatience = 30_000

/** Repetitions after which it is reported. */
const toldAfter = 3

/** Limit of the queue: a handshake waits for its PLC, so a PLC that takes changes never reaches it. */
const mostWaiting = 64

/**
 * Brings the cell's values to the PLC, one message after the other: most writers lose a message without an error, so
 * only what the reader reads back is proven. What it does not read back is written again with each change and each beat.
 */
export class Delivery {
  readonly #options: DeliveryOptions
  /** What the PLC has, as it was read back. */
  readonly #confirmed = new Map<string, Item>()
  readonly #waiting: Write[] = []
  #write: Write | undefined
  #steps: Step[] = []
  /** What has read back of the message under way, as it was written. */
  readonly #matched = new Set<string>()
  readonly #read = new Map<string, unknown>()
  readonly #responses: number[] = []
  #timer: NodeJS.Timeout | undefined
  #repeated = 0
  /** `performance.now()` when the message under way was sent first. */
  #sentAt = 0

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  /** Milliseconds until a message reads back, the median of the last ones; missing before the first. */
  get responseTime(): number | undefined {
    return [...this.#responses].sort((one, other) => one - other)[this.#responses.length >> 1]
  }

  /**
   * Writes what is not at the PLC already.
   * @param all everything: the PLC's memory is unknown
   * @returns when the PLC has it, as far as it is read back @throws PlcError
   */
  write(items: readonly Item[], all: boolean): Promise<WriteOutcome> {
    if (all) this.#giveUp()
    return new Promise((resolve, reject: (error: PlcError) => void) => {
      if (this.#waiting.length === mostWaiting)
        throw messagesError({ code: 'BUSY', key: 'messages-waiting', values: { limit: mostWaiting } })
      const last = this.#waiting.at(-1)
      const before = (this.#waiting.at(-2) ?? this.#write)?.items
      // Beats do not queue up behind a message that is not proven, and no change waits for one: it gets the newest.
      if (last && (isOnlyLife(last.items, items) || (before && isOnlyLife(before, last.items)))) {
        last.items = items
        last.ended.push({ resolve, reject })
        return
      }
      this.#waiting.push({ items, ended: [{ resolve, reject }], outcome: 'unconfirmed' })
      if (!this.#write) this.#next()
    })
  }

  /**
   * Takes the cell's own values as the reader read them.
   * @returns whether those that were proven still stand; undefined where none was read
   */
  heard(values: ReadonlyMap<string, unknown>): boolean | undefined {
    let kept: boolean | undefined
    for (const [key, value] of values) {
      this.#read.set(key, value)
      const item = this.#confirmed.get(key)
      if (item) kept = (kept ?? true) && isSame(item, value)
    }
    const [step] = this.#steps
    for (const item of step?.items ?? []) {
      if (!values.has(item.key)) continue
      if (isSame(item, values.get(item.key))) this.#matched.add(item.key)
      else this.#matched.delete(item.key)
    }
    if (step && this.#isProven(step)) this.#done(step)
    return kept
  }

  /** The connection is lost: nothing is repeated, and what the PLC has is unknown. */
  lost(): void {
    this.#giveUp()
    this.#read.clear()
  }

  /** Everything that is read back has arrived; a message that nothing is read back of counts only where none follows it. */
  #isProven({ items }: Step): boolean {
    const readable = items.filter(({ key }) => this.#read.has(key))
    return readable.length > 0
      ? readable.every(({ key }) => this.#matched.has(key))
      : this.#steps.length === 1
  }

  #giveUp(): void {
    clearTimeout(this.#timer)
    this.#confirmed.clear()
    this.#steps = []
    const given = [this.#write, ...this.#waiting.splice(0)]
    this.#write = undefined
    for (const write of given) for (const { resolve } of write?.ended ?? []) resolve('lost')
  }

  #next(): void {
    this.#write = this.#waiting.shift()
    if (!this.#write) return
    const isChanged: IsChanged = ({ key, value }) => {
      const confirmed = this.#confirmed.get(key)
      return confirmed === undefined || !isSame(confirmed, value)
    }
    this.#steps = this.#options.steps(this.#write.items, isChanged)
    // All of it was read back before.
    if (this.#steps.length === 0) this.#write.outcome = 'confirmed'
    this.#begin()
  }

  #begin(): void {
    clearTimeout(this.#timer)
    this.#repeated = 0
    const step = this.#steps[0]
    if (!step) {
      const { ended, outcome } = this.#write ?? { ended: [], outcome: 'lost' }
      for (const { resolve } of ended) resolve(outcome)
      this.#next()
      return
    }
    for (const { key } of step.items) this.#confirmed.delete(key)
    this.#matched.clear()
    this.#sentAt = performance.now()
    this.#send(step)
  }

  #send(step: Step): void {
    if (!this.#options.send(step.message)) {
      const write = this.#write
      this.#write = undefined
      this.#giveUp()
      const error = messagesError({ code: 'UNREACHABLE', key: 'messages-no-node' })
      for (const { reject } of write?.ended ?? []) reject(error)
      return
    }
    // It may have read back while it was sent.
    if (this.#steps[0] !== step) return
    if (this.#isProven(step)) this.#done(step)
    else this.#timer = startTimeout(() => this.#repeat(step), this.#patience)
  }

  /** A PLC that answers slowly would only be slower with every message that is sent again. */
  get #patience(): number {
    const { responseTime = 0 } = this
    const { patience = 1000 } = this.#options
    return Math.min(mostPatience, Math.max(patience, 3 * responseTime) * 2 ** this.#repeated)
  }

  #repeat(step: Step): void {
    this.#repeated++
    const missing =
      step.items.find(({ key }) => this.#read.has(key) && !this.#matched.has(key)) ?? step.items[0]
    if (this.#repeated === toldAfter && missing) {
      const { key, value } = missing
      const values = { key, value: String(value), read: readAs(this.#read.get(key)) }
      this.#options.onTrouble(messagesError({ code: 'OUTCOME_UNKNOWN', key: 'messages-undelivered', values }))
    }
    this.#send(step)
  }

  #done(step: Step): void {
    // What is not read back is not known to be there: it is written with the next change again.
    for (const item of step.items) if (this.#matched.has(item.key)) this.#confirmed.set(item.key, item)
    if (this.#matched.size > 0 && this.#write) {
      this.#write.outcome = 'confirmed'
      this.#responses.push(performance.now() - this.#sentAt)
      if (this.#responses.length > rememberedResponses) this.#responses.shift()
    }
    this.#steps.shift()
    this.#begin()
  }
}

/** What was read, for a sentence. */
const readAs = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'
    ? String(value).slice(0, 60)
    : '–'

/** Whether the second differs from the first by its life signal alone. */
const isOnlyLife = (one: readonly Item[], other: readonly Item[]): boolean =>
  other.every((item, index) => {
    const before = one[index]
    return item.group === 'life' || (before?.key === item.key && isSame(before, item.value))
  })

/** Whether what was read is what was written: a REAL has seven digits, a bit may come as a number. */
function isSame({ type, value }: Pick<Item, 'type' | 'value'>, read: unknown): boolean {
  // Bytes come in many shapes; they are proven by what is written with them.
  if (value instanceof Uint8Array) return true
  if (typeof value === 'string') return value === read
  if (typeof read !== 'number' && typeof read !== 'boolean') return false
  return type === 'REAL'
    ? Math.fround(Number(value)) === Math.fround(Number(read))
    : Number(value) === Number(read)
}
