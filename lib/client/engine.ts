import type { OperationId } from '../contract'
import type { Call } from './call'
import { Connections } from './connections'
import { deadlines, type Deadlines } from './deadlines'
import type { CallOptions, Settings } from './options'
import type { PreparedRequest } from './request-of'
import { sentence } from './sentences'
import { TokenBucket } from './token-bucket'
import { Turns } from './turns'
import { VisionError, type Failure } from './vision-error'

/** What all calls to one device share. Nothing of it is shared with another device but the timer of deadlines. */
export class Engine {
  closed = false
  readonly live = new Set<Call>()
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
    const given = options?.deadline
    if (given === undefined) return upload ? uploadDeadline : deadline
    if (Number.isFinite(given) && given > 0) return given
    const values = { option: 'deadline', expected: '> 0 ms' }
    throw this.errorOf(plan.id, { code: 'INVALID_INPUT', key: 'bad-option', values })
  }

  errorOf(operation: OperationId, failure: Failure): VisionError {
    const { address, language } = this.settings
    return new VisionError(failure, { operation, device: address.shown, language })
  }

  /** A write was sent, and its time is over. */
  noAnswerWithin(milliseconds: number): Failure {
    const values = { milliseconds }
    const reason = sentence('reason-deadline', values, this.settings.language)
    return { code: 'TIMEOUT', key: 'timeout', values: { ...values, reason } }
  }

  async close(): Promise<void> {
    this.closed = true
    this.turns.close()
    for (const call of [...this.live]) call.abort()
    await this.connections.close()
  }
}
