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
   * The attempt failed on the way. `sent` is false only where not one byte went out; `proven`: the connection has carried
   * an answer before.
   */
  failed: (error: Error, sent: boolean, proven: boolean) => void
}

const nothing = Buffer.alloc(0)

/** One request on one connection, from its first byte to the last of its answer. */
export class Attempt implements Dispatcher.DispatchHandler {
  /** From here on the device may have the request. */
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
    /** By when it must have been sent, milliseconds. */
    readonly connectBy: number,
    /** The body, where it is a file. */
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

  /** When something may be overdue next, milliseconds. */
  nextLook(now: number): number {
    if (!this.sent) return this.connectBy
    // Parts move their deadline without a word, so that it is looked at as often as one may be over.
    return this.file ? Math.min(this.file.partBy, now + this.file.stall) : Infinity
  }

  /** Ends the attempt at once and silently, wherever it is. */
  cancel(): void {
    if (this.over) return
    this.over = true
    this.stream?.destroy()
    void this.connection.drop()
  }

  onRequestStart(): void {
    // What is thrown here ends the request before its first byte, and leaves the connection usable.
    if (this.over) throw new Error('cancelled')
    this.sent = true
  }

  onResponseStart(_: unknown, status: number, headers: Headers): void {
    this.status = status
    this.headers = headers
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.over) return
    // Most answers are one piece, which needs no copy.
    if (!this.first) this.first = chunk
    else (this.more ??= [this.first]).push(chunk)
  }

  onResponseEnd(): void {
    if (this.over) return
    this.over = true
    this.connection.proven = true
    const body = this.more ? Buffer.concat(this.more) : (this.first ?? nothing)
    this.owner.answered({ status: this.status, headers: this.headers, body })
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.over) return
    this.over = true
    this.stream?.destroy()
    const { alert, proven } = this.connection
    void this.connection.drop()
    this.owner.failed(alert ?? error, this.sent, proven)
  }
}
