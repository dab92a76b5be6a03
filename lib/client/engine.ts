import type { OperationId } from '../contract'
import type { Abortable } from './aborts'
import { Connections } from './connections'
import { deadlines, type Deadlines } from './deadlines'
import { placeOf, type CallOptions, type Settings } from './options'
import type { PreparedRequest } from './request-of'
import { TokenBucket } from './token-bucket'
import { Turns } from './turns'
import { VisionError, type Failure } from './vision-error'

/** What all calls to one device share. Nothing of it is shared with another device but the timer of deadlines. */
export class Engine {
  closed = false
  readonly live = new Set<Abortable>()
  readonly deadlines: Deadlines = deadlines
  readonly connections: Connections
  readonly turns: Turns
  /** At most ten repetitions at once, and then two per second, whatever the number of calls. */
  readonly bucket: TokenBucket

  constructor(readonly settings: Settings) {
    const now = () => this.deadlines.now()
    this.connections = new Connections(settings)
    this.turns = new Turns(settings, now)
    this.bucket = new TokenBucket(10, 2, now)
  }

  /** Milliseconds for a call. @throws VisionError `INVALID_INPUT` */
  deadlineOf({ upload, plan }: PreparedRequest, options: CallOptions | undefined): number {
    const { deadline, uploadDeadline } = this.settings
    return this.duration(plan.id, 'deadline', options?.deadline, upload ? uploadDeadline : deadline)
  }

  /** Milliseconds that an upload may stand still. @throws VisionError `INVALID_INPUT` */
  stallOf({ plan }: PreparedRequest, options: CallOptions | undefined): number {
    return this.duration(plan.id, 'stall', options?.stall, this.settings.uploadStall)
  }

  private duration(id: OperationId, option: string, given: number | undefined, byDefault: number): number {
    if (given === undefined) return byDefault
    if (Number.isFinite(given) && given > 0) return given
    throw this.errorOf(id, {
      code: 'INVALID_INPUT',
      key: 'bad-option',
      values: { option, expected: '> 0 ms' },
    })
  }

  errorOf(operation: OperationId, failure: Failure): VisionError {
    return new VisionError(failure, { operation, ...placeOf(this.settings) })
  }

  async close(): Promise<void> {
    this.closed = true
    this.turns.close()
    for (const call of [...this.live]) call.abort()
    await this.connections.close()
  }
}
