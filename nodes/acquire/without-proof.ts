import { triggerRemarks } from '../../lib/contract/reading/values'
import type { AcquisitionSteps } from '../../lib/images/acquisition'
import { sleep } from '../../lib/kernel/timers'
import { loadClient } from '../shared/load-later'
import { NodeAnswer } from '../shared/outcome'
import { leftMode, type AcquisitionSummary } from './told-of'
import { sentencesOf } from '../sentences'

const { nodeError, told } = sentencesOf('acquire')

interface Options {
  restoresMode: boolean
  signal: AbortSignal
}

/**
 * Triggers, and waits as long as a depth image takes. Nothing proves that one was taken: the answer says so.
 * @throws REFUSED with 102, because nothing was acquired; errors of the steps; ABORTED
 */
export async function withoutProof(
  steps: Omit<AcquisitionSteps, 'onTaken'>,
  { restoresMode, signal }: Options,
): Promise<NodeAnswer> {
  // Read before: a device that is not there is told apart from a call whose outcome is unknown.
  const period = await steps.period()
  const { inSingleFrame } = loadClient().images
  const { modeLeft, ...taken } = await inSingleFrame(steps, { restoresMode }, async () => {
    const began = performance.now()
    const { value } = await steps.trigger()
    if (value === triggerRemarks.noSubscriber)
      throw nodeError('REFUSED', 'no-image-client', {}, { status: 200, returnCode: { value, message: '' } })
    await sleep(period, signal).catch(() => {
      throw nodeError('ABORTED', 'acquire-closed')
    })
    const isPending = value === triggerRemarks.pending
    return {
      doneAfter: Math.round(performance.now() - began),
      ...(isPending && { doubt: 'pending' as const }),
    }
  })
  const summary: AcquisitionSummary = { proven: false, ...taken, ...leftMode(modeLeft) }
  const answer = told('result-unproven', {}, { state: 'warning', code: 'UNPROVEN', value: summary.doneAfter })
  return new NodeAnswer({ payload: summary, acquisition: summary }, answer)
}
