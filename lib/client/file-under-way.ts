import type { Readable } from 'node:stream'
import type { Measured, OnProgress, Upload } from './upload'

type Progress = Parameters<OnProgress>[0]

interface Caller {
  onProgress: OnProgress | undefined
  /** Called with the error that `onProgress` threw. */
  onThrown: (error: unknown) => void
}

/** The file of a call, across its attempts, with the deadline for sending its next part. */
export class FileUnderWay {
  /** Milliseconds; infinite before an attempt, while the progress callback runs, and after the last part. */
  partBy = Infinity
  private measured: Measured | undefined

  constructor(
    private readonly upload: Upload,
    /** Milliseconds for which it may stall. */
    readonly stall: number,
    /** Milliseconds of a monotonic clock. */
    private readonly now: () => number,
    private readonly caller: Caller,
  ) {}

  /** Path of the file; undefined for bytes. */
  get path(): string | undefined {
    return this.upload.file
  }

  /** Bytes of the whole body. Rejects if the file cannot be read. */
  async measure(): Promise<number> {
    this.measured = await this.upload.measure()
    return this.measured.length
  }

  /** The body from its start. */
  begin(): Readable | undefined {
    this.awaitPart()
    return this.measured?.stream((progress) => this.partWentOut(progress))
  }

  private async partWentOut(progress: Progress) {
    const isLast = progress.sent === progress.total
    // Time spent in the caller's callback does not count as a stall.
    this.partBy = Infinity
    try {
      await this.caller.onProgress?.(progress)
    } catch (error) {
      this.caller.onThrown(error)
      throw error
    }
    if (!isLast) this.awaitPart()
  }

  private awaitPart() {
    this.partBy = this.now() + this.stall
  }
}
