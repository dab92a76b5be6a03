import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Connection } from './connection'
import type { FileUnderWay } from './file-under-way'
import type { PreparedRequest } from './request-of'

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

export interface HttpAnswer {
  status: number
  headers: Headers
  body: Buffer
}

interface AttemptOwner {
  answered: (answer: HttpAnswer) => void
  /**
   * The attempt failed in transit. `sent` is false only if not one byte was sent; `proven`: the connection has already
   * carried an answer.
   */
  failed: (error: Error, sent: boolean, proven: boolean) => void
}

const nothing = Buffer.alloc(0)

/** One request on one connection, from its first byte to the last byte of its answer. */
export class Attempt implements Dispatcher.DispatchHandler {
  /** True as soon as the device may have received the request. */
  sent = false
  private over = false
  private status = 0
  private headers: Headers = {}
  private first: Buffer | undefined
  private more: Buffer[] | undefined
  private stream: Readable | undefined

  constructor(
    private readonly owner: AttemptOwner,
    readonly connection: Connection,
    /** Deadline for sending the first byte, milliseconds. */
    readonly connectBy: number,
    /** The body, if it is a file. */
    private readonly file: FileUnderWay | undefined,
  ) {}

  /** @param now milliseconds */
  start({ plan, path, headers, body }: PreparedRequest, stream: Readable | undefined, now: number): void {
    const { method } = plan.operation
    this.stream = stream
    this.connection.dispatch(
      { path, method, headers, body: stream ?? body },
      this,
      now,
      plan.repeat === 'once',
    )
  }

  /** The next time to check for an expired deadline, milliseconds. */
  nextLook(now: number): number {
    if (!this.sent) return this.connectBy
    // The parts of an upload move their deadline without notice, so check as often as one may expire.
    return this.file ? Math.min(this.file.partBy, now + this.file.stall) : Infinity
  }

  /** Ends the attempt at once without reporting. */
  cancel(): void {
    if (this.over) return
    this.finish()
    this.stream?.destroy()
    void this.connection.drop()
  }

  onRequestStart(): void {
    // An error thrown here ends the request before its first byte and leaves the connection usable.
    if (this.over) throw new Error('cancelled')
    this.sent = true
  }

  onResponseStart(_: unknown, status: number, headers: Headers): void {
    this.status = status
    this.headers = headers
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.over) return
    // Most answers arrive in one piece, which needs no copy.
    if (!this.first) this.first = chunk
    else (this.more ??= [this.first]).push(chunk)
  }

  onResponseEnd(): void {
    if (this.over) return
    this.connection.proven = true
    const body = this.more ? Buffer.concat(this.more) : (this.first ?? nothing)
    this.finish()
    this.owner.answered({ status: this.status, headers: this.headers, body })
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.over) return
    this.finish()
    this.stream?.destroy()
    const { alert, proven } = this.connection
    void this.connection.drop()
    this.owner.failed(alert ?? error, this.sent, proven)
  }

  /** Releases what was received: the stack of an error holds the attempt that it came from for as long as it is kept. */
  private finish() {
    this.over = true
    this.first = this.more = undefined
  }
}
