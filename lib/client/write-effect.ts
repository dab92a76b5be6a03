import type { OperationId } from '../contract'
import type { Settings } from './options'
import { planOf } from './plan'
import { readBackInput, tookEffect } from './read-back'
import { requestOf, type Input, type PreparedRequest } from './request-of'
import type { Failure } from './vision-error'

/** Whether the write of a call took effect, as far as that is known. */
export class WriteEffect {
  /** What made it unknown. */
  unsettled: Failure | undefined
  /** What looks it up, while it is being looked up. */
  lookUp: PreparedRequest | undefined

  constructor(
    private readonly request: PreparedRequest,
    private readonly input: Input,
    private readonly settings: Settings,
  ) {}

  /** From here on the device is asked what it has. */
  beginLookUp(): void {
    const { readBack } = this.request.plan.operation
    this.lookUp = requestOf(planOf(readBack as OperationId), readBackInput(this.input), this.settings)
  }

  /**
   * What was lost, where the device turns out to have another value: as if the write had never been sent.
   * @param found the answer of the look-up
   */
  missedIn(found: unknown): Failure | undefined {
    const { unsettled } = this
    if (!unsettled || tookEffect(this.input, found)) return undefined
    this.unsettled = this.lookUp = undefined
    return unsettled
  }
}
