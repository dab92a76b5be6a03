/** One connection to a PLC: opens its session, then one request at a time. */
import { check } from '../../kernel/scope'
import { startTimeout } from '../../kernel/timers'
import type { PlcError } from '../plc-error'
import { openChannel, type Channel } from './channel'
import type { LinkFailures } from './failures'
import type { Incoming, PlcProtocol, PlcRequest, PlcSession } from './protocol'

/** How often what has happened since the start. */
export interface ClientCounts {
  requests: number
  /** Refusals of the PLC. */
  exceptions: number
  timeouts: number
  /** Answers to no request, or to one that was given up. */
  strays: number
  /** Connections established so far. */
  connections: number
}

export type Answered = (answer: number[] | PlcError) => void

interface Exchange<Own> {
  request: PlcRequest<Own>
  answered: Answered
  timer: NodeJS.Timeout
  /** When it was sent: milliseconds of a clock that never steps back. */
  sent: number
}

export interface PlcConnectionOptions<Own> {
  protocol: PlcProtocol<Own>
  host: string
  port: number
  /** Milliseconds for an answer. */
  deadline: number
  /** Milliseconds for a connection, and for each answer that opens the session. */
  connectDeadline: number
  counts: ClientCounts
  failures: LinkFailures<Own>
  signal: AbortSignal
  /** The PLC has answered a request. @param after milliseconds */
  proven: (after: number) => void
  /** The connection is of no use any more. */
  end: (error: PlcError) => void
}

export class PlcConnection<Own> {
  /** Answers that were taken. */
  answers = 0
  readonly #options: PlcConnectionOptions<Own>
  readonly #session: PlcSession<Own>
  #channel: Channel | undefined
  #underWay: Exchange<Own> | undefined
  #isOpening = true
  #isOver = false

  private constructor(options: PlcConnectionOptions<Own>) {
    this.#options = options
    this.#session = options.protocol.begin(options)
  }

  /** @throws PlcError; ErrnoException; the reason of the abort */
  static async open<Own>(options: PlcConnectionOptions<Own>): Promise<PlcConnection<Own>> {
    const connection = new PlcConnection(options)
    await connection.#open()
    return connection
  }

  async #open(): Promise<void> {
    const { protocol, host, port, connectDeadline, signal, failures } = this.#options
    this.#channel = await openChannel({
      transport: protocol.transport,
      host,
      port,
      timeout: connectDeadline,
      signal,
      onData: (chunk) => this.#take(chunk),
      onEnd: (reason) => this.#end(failures.lost(reason, this.#isOpening)),
    })
    const aborted = () => this.#end(failures.closed())
    signal.addEventListener('abort', aborted, { once: true })
    try {
      check(signal)
      for (const request of this.#session.opening ?? [])
        await new Promise<void>((resolve, reject) => {
          const answered: Answered = (answer) => (Array.isArray(answer) ? resolve() : reject(answer))
          this.#send(request, answered, connectDeadline)
        })
    } catch (error) {
      await this.close()
      throw error
    } finally {
      signal.removeEventListener('abort', aborted)
    }
    this.#isOpening = false
  }

  get isIdle(): boolean {
    return this.#underWay === undefined
  }

  /** Sends a request; the one before must have been answered. */
  exchange(request: PlcRequest<Own>, answered: Answered): void {
    this.#send(request, answered, this.#options.deadline)
  }

  /** Ends the connection, which the PLC would end by itself. */
  finish(): void {
    this.#end(this.#options.failures.lost('FIN', false))
  }

  /** Ends the request under way, and the connection with it. */
  abandon(error: PlcError): void {
    this.#isOver = true
    const underWay = this.#underWay
    if (underWay) this.#answer(this.#options.failures.lostUnderWay(underWay.request, error))
  }

  /** Resolves when nothing is left. */
  async close(): Promise<void> {
    this.#isOver = true
    await this.#channel?.close()
  }

  #send(request: PlcRequest<Own>, answered: Answered, deadline: number): void {
    if (this.#isOver) {
      answered(this.#options.failures.lost('FIN', this.#isOpening))
      return
    }
    const timer = startTimeout(() => this.#miss(), deadline)
    this.#underWay = { request, answered, timer, sent: performance.now() }
    this.#channel?.send(this.#session.bytes(request))
  }

  #miss(): void {
    const underWay = this.#underWay
    if (!underWay) return
    this.#options.counts.timeouts++
    const missed = this.#session.missed()
    if (missed) this.#handle(missed)
    else this.#answer(this.#options.failures.noAnswer(underWay.request))
  }

  #take(chunk: Buffer): void {
    for (const incoming of this.#session.take(chunk)) {
      if (this.#isOver) return
      this.#handle(incoming)
    }
  }

  #handle(incoming: Incoming): void {
    const { counts } = this.#options
    if (incoming.is === 'stray') counts.strays++
    else if (incoming.is === 'end') this.#end(incoming.error)
    else this.#accept(incoming.answer)
  }

  #accept(answer: number[] | PlcError): void {
    const underWay = this.#underWay
    if (!underWay) return
    if (!this.#isOpening) {
      this.answers++
      this.#options.proven(performance.now() - underWay.sent)
    }
    if (!Array.isArray(answer) && answer.code === 'REFUSED') this.#options.counts.exceptions++
    this.#answer(answer)
  }

  /** First the end: the next request must not go out on this connection. */
  #end(error: PlcError): void {
    if (this.#isOver) return
    this.#isOver = true
    // Who opens it learns of the failure by the exchange alone.
    if (this.#isOpening && this.#underWay) this.#answer(error)
    else this.#options.end(error)
  }

  #answer(answer: number[] | PlcError): void {
    const underWay = this.#underWay
    this.#underWay = undefined
    clearTimeout(underWay?.timer)
    underWay?.answered(answer)
  }
}
