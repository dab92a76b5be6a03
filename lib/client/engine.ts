import type { OperationId } from '../contract'
import { Absence } from './absence'
import { problemOfCall } from './check-options'
import { Connections } from './connection'
import { deadlines } from './deadlines'
import { placeOf, type CallOptions, type ClientSettings } from './options'
import type { Plan } from './plan'
import { TokenBucket } from './token-bucket'
import { Turns } from './turns'
import { VisionError, type Failure } from './vision-error'

/** What all calls to one device share. Devices share nothing with each other except the deadline timer. */
export class Engine {
  closed = false
  /**
   * True after a read was answered with "starting", by the device or by a gateway that cannot reach it, until another
   * answer.
   */
  private starting = false
  readonly live = new Set<{ abort: () => void }>()
  readonly deadlines = deadlines
  readonly connections: Connections
  readonly turns: Turns
  /** At most ten repetitions at once, then two per second, whatever the number of calls. */
  readonly bucket: TokenBucket
  /** The calls that wait for a device that takes no requests. */
  readonly absence: Absence

  constructor(readonly settings: ClientSettings) {
    const now = () => this.deadlines.now()
    this.connections = new Connections(settings)
    this.turns = new Turns(settings, now)
    this.bucket = new TokenBucket(10, 2, now)
    this.absence = new Absence(settings.random, now, settings.onAway)
  }

  /** Whether a write sent now might meet a starting device, behind whose gateway its outcome would be unknown. */
  get mayBeStarting(): boolean {
    return this.starting || this.settings.mayBeStarting()
  }

  /** Records the status of an answer. */
  noteAnswer({ repeat }: Plan, status: number): void {
    const isStarting = status === 502 || status === 503
    // After a write, a gateway answers the same way if only the answer was lost.
    if (!isStarting || repeat === 'read') this.starting = isStarting
    if (!isStarting) this.absence.over()
  }

  /**
   * Time limits of a call, in milliseconds: its deadline, and how long an upload may stall. @throws VisionError
   * `INVALID_INPUT`
   */
  limitsOf({ id, operation }: Plan, options: CallOptions = {}): { deadline: number; stall: number } {
    const problem = problemOfCall(options)
    if (problem) throw this.errorOf(id, { code: 'INVALID_INPUT', key: 'bad-option', values: { ...problem } })
    const { settings } = this
    const byDefault = operation.body?.encoding === 'multipart' ? settings.uploadDeadline : settings.deadline
    return { deadline: options.deadline ?? byDefault, stall: options.stall ?? settings.uploadStall }
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
