import type { Readable } from 'node:stream'
import type { Measured, OnProgress, Upload } from './upload'

type Progress = Parameters<OnProgress>[0]

interface Caller {
  onProgress: OnProgress | undefined
  /** Told what `onProgress` has thrown. */
  onThrown: (error: unknown) => void
}

/** The file of a call on its way, from attempt to attempt, and by when its next part must have gone out. */
export class FileUnderWay {
  /** Milliseconds; infinite before an attempt, while the caller is told of a part, and once all of it is out. */
  partBy = Infinity
  private measured: Measured | undefined

  constructor(
    private readonly upload: Upload,
    /** Milliseconds that it may stand still. */
    readonly stall: number,
    /** Milliseconds of a monotonic clock. */
    private readonly now: () => number,
    private readonly caller: Caller,
  ) {}

  /** Path of the file, where it is one. */
  get path(): string | undefined {
    return this.upload.file
  }

  /** Bytes of the whole body. Rejects where the file cannot be read. */
  async measure(): Promise<number> {
    this.measured = await this.upload.measure()
    return this.measured.length
  }

  /** The body from its beginning. */
  begin(): Readable | undefined {
    this.awaitPart()
    return this.measured?.stream((progress) => this.partWentOut(progress))
  }

  private async partWentOut(progress: Progress) {
    const isLast = progress.sent === progress.total
    // The caller's time is not the device's.
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
