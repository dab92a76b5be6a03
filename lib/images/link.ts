/** A stream that is kept open: attempts, pauses between them, and received items. */
import { watchAbort, patientTimeout } from '../kernel/timers'
import type { VisionError } from '../client/vision-error'
import { ProtobufError } from '../codec/images/codec'
import { PersistentConnection } from '../kernel/connection'
import { Attempt } from './attempt'
import type { LinkSettings, StreamCall, Arrival, ImageLink } from './options'
import { MessageMemory, UnreadableStream } from './message-reader'
import { imagesError, imagesSentences, type ImageFailure } from './failures'

const least = 1024 * 1024 // bytes: few shorter messages survive two garbage collections

/**
 * The same memory as a new object; the previous object loses it. A short-lived object costs next to nothing if it is
 * new. But a set takes long to arrive, and an object that has survived two collections is only freed by a search
 * through the whole memory of Node-RED.
 */
function asNew(bytes: Buffer): Buffer {
  const { buffer, byteOffset, length } = bytes
  if (length < least || !(buffer instanceof ArrayBuffer)) return bytes
  return Buffer.from(structuredClone(buffer, { transfer: [buffer] }), byteOffset, length)
}

const firstPause = 200 // milliseconds

interface Waiter<Result> {
  resolve: (result: Result) => void
  reject: (error: VisionError) => void
}

interface Received<Item> {
  item: Item
  message: Buffer
}

export class Link<Item extends Arrival> implements ImageLink<Item> {
  private persistent: PersistentConnection<Attempt, ImageFailure> | undefined
  private closing: Promise<void> | undefined
  private connection = 0
  /** The newest one. */
  private attempt: Attempt | undefined
  private stopSilence: () => void = () => undefined
  private readonly waiting: Received<Item>[] = [] // at most one, and others from the same piece
  private readonly inHand: Buffer[] = [] // held by the consumer
  private readonly memory = new MessageMemory()
  private skipped = 0
  private readonly takers: Waiter<IteratorResult<Item, undefined>>[] = []
  private readonly openers: Waiter<void>[] = []
  private reportedState: string | undefined
  private failure: VisionError | undefined
  private ended = false
  private open = false
  private readonly aborted = () => this.end(this.errorOf({ code: 'ABORTED', key: 'images-aborted' }))

  constructor(
    private readonly settings: LinkSettings,
    private readonly call: StreamCall<Item>,
  ) {
    const { signal } = settings
    if (signal) watchAbort(signal, this.aborted)
    if (signal?.aborted) this.aborted()
    else this.persistent = this.keep()
  }

  get isOpen(): boolean {
    return this.open
  }

  opened(): Promise<void> {
    if (this.open) return Promise.resolve()
    if (this.ended)
      return Promise.reject(this.failure ?? this.errorOf({ code: 'ABORTED', key: 'images-closed' }))
    return new Promise((resolve, reject) => this.openers.push({ resolve, reject }))
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    for (const message of this.inHand.splice(0)) this.memory.give(message)
    const received = this.waiting.shift()
    if (received) {
      if (this.waiting.length === 0) this.hold(false)
      return Promise.resolve(this.handed(received))
    }
    if (!this.ended) return new Promise((resolve, reject) => this.takers.push({ resolve, reject }))
    const { failure } = this
    this.failure = undefined
    return failure ? Promise.reject(failure) : Promise.resolve({ done: true, value: undefined })
  }

  async return(): Promise<IteratorResult<Item, undefined>> {
    await this.close()
    return { done: true, value: undefined }
  }

  async close(): Promise<void> {
    this.waiting.length = 0
    this.failure = undefined
    this.end()
    await this.closing
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  private keep(): PersistentConnection<Attempt, ImageFailure> {
    const { random, longestPause } = this.settings
    return new PersistentConnection({
      open: async ({ signal, proven, ended }) => {
        this.connection++
        const attempt = new Attempt(
          this.settings,
          this.call,
          { message: (bytes) => this.take(bytes, proven), ended },
          this.memory,
        )
        this.attempt = attempt
        // What the connection before has left is not taken yet.
        attempt.hold(this.isFull)
        const aborted = () => attempt.cancel()
        signal.addEventListener('abort', aborted)
        try {
          await attempt.opened
          return attempt
        } catch (error) {
          await attempt.close()
          throw error
        } finally {
          signal.removeEventListener('abort', aborted)
        }
      },
      release: (attempt) => attempt.close(),
      failureOf: (error) => error as ImageFailure,
      causeOf: ({ key }) => key,
      provenBy: 'exchange',
      retry: { first: Math.min(firstPause, longestPause), longest: longestPause, random },
      onOpen: () => this.isNowOpen(),
      onDown: (failure) => this.lost(failure),
    })
  }

  private isNowOpen(): void {
    this.open = true
    if (!this.isFull) this.listen()
    for (const { resolve } of this.openers.splice(0)) resolve()
    this.report('open', () => this.settings.onState?.({ open: true }))
  }

  /** A stream that never pauses is lost when it is silent. */
  private listen(): void {
    this.stopSilence()
    const { longestSilence: milliseconds } = this.settings
    if (milliseconds === undefined) return
    const silent = () =>
      this.persistent?.connection?.fail({ code: 'TIMEOUT', key: 'images-silent', values: { milliseconds } })
    this.stopSilence = patientTimeout(silent, milliseconds)
  }

  /** @throws UnreadableStream */
  private take(bytes: Buffer, proven: () => void): void {
    const message = this.settings.reusesMemory ? bytes : asNew(bytes)
    const content = this.decoded(message)
    if (content === undefined) return
    proven()
    this.listen()
    const item = {
      ...content,
      ...{ receivedAt: Date.now(), skipped: 0, connection: this.connection },
    } as unknown as Item
    const taker = this.takers.shift()
    if (taker) {
      taker.resolve(this.handed({ item, message }))
      return
    }
    if (this.settings.newestOnly) this.replace()
    else this.hold(true)
    this.waiting.push({ item, message })
  }

  /** The replaced item was not handed out, so its memory is free at once. */
  private replace(): void {
    for (const { message } of this.waiting.splice(0)) {
      this.skipped++
      this.memory.give(message)
    }
  }

  /** Replaced items are counted in the next one. */
  private handed({ item, message }: Received<Item>): { done: false; value: Item } {
    if (this.settings.reusesMemory) this.inHand.push(message)
    item.skipped = this.skipped
    this.skipped = 0
    return { done: false, value: item }
  }

  private decoded(bytes: Buffer): Omit<Item, keyof Arrival> | undefined {
    try {
      return this.call.decode(bytes)
    } catch (error) {
      if (!(error instanceof ProtobufError)) throw error
      const detail = error.message
      throw new UnreadableStream({
        ...{ code: 'BAD_REPLY', key: 'images-unreadable' },
        ...{ values: { detail: detail.replace(/\.$/, '') }, cause: { detail } },
      })
    }
  }

  private get isFull(): boolean {
    return this.waiting.length > 0 && !this.settings.newestOnly
  }

  private hold(isHeld: boolean): void {
    this.attempt?.hold(isHeld)
    // Silence proves nothing while the consumer is busy.
    if (isHeld) this.stopSilence()
    else if (this.open) this.listen()
  }

  private lost(failure: ImageFailure): void {
    this.open = false
    this.stopSilence()
    const error = this.errorOf(failure)
    for (const { reject } of this.openers.splice(0)) reject(error)
    if (!this.settings.reconnects) {
      this.end(error)
      return
    }
    this.report(error.code, () => this.settings.onState?.({ open: false, error }))
  }

  private report(state: string, report: () => void): void {
    if (state === this.reportedState || this.ended) return
    this.reportedState = state
    report()
  }

  private end(error?: VisionError): void {
    if (this.ended) return
    this.ended = true
    this.open = false
    this.failure = error
    this.settings.signal?.removeEventListener('abort', this.aborted)
    this.stopSilence()
    this.closing = this.persistent?.close()
    const closed = () => this.errorOf({ code: 'ABORTED', key: 'images-closed' })
    for (const { reject } of this.openers.splice(0)) reject(error ?? closed())
    const [first, ...others] = this.takers.splice(0)
    if (first && error) {
      this.failure = undefined
      first.reject(error)
    } else first?.resolve({ done: true, value: undefined })
    for (const { resolve } of others) resolve({ done: true, value: undefined })
  }

  private errorOf({ values, cause, ...failure }: ImageFailure): VisionError {
    const { host, port, device, language } = this.settings
    const what = imagesSentences.say(this.call.what, {}, language)
    return imagesError(
      { ...failure, values: { port, what, ...values }, ...(cause && { cause }) },
      { device, address: `${host}:${port}`, language },
    )
  }
}
