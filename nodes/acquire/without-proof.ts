import { isSingleFrame, triggerRemarks } from '../../lib/contract/reading/acquisition'
import type { AcquisitionSteps } from '../../lib/images/acquisition'
import { sleep } from '../../lib/timers/timers'
import { NodeAnswer } from '../shared/outcome'
import { codeOf, detailOf } from '../shared/node-error'
import { nodeError, told } from './sentences'
import type { AcquisitionSummary } from './told-of'

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
  const mode = await steps.mode()
  const changes = !isSingleFrame(mode)
  if (changes) await steps.setMode('SingleFrame', false)
  const summary: AcquisitionSummary = { proven: false, doneAfter: 0 }
  try {
    const began = performance.now()
    const { value } = await steps.trigger()
    if (value === triggerRemarks.noSubscriber)
      throw nodeError('REFUSED', 'no-image-client', {}, { status: 200, returnCode: { value, message: '' } })
    if (value === triggerRemarks.pending) summary.doubt = 'pending'
    await sleep(period, signal).catch(() => {
      throw nodeError('ABORTED', 'acquire-closed')
    })
    summary.doneAfter = Math.round(performance.now() - began)
  } finally {
    if (changes && restoresMode)
      await steps.setMode(mode, true).catch((error: unknown) => {
        summary.modeLeft = { code: codeOf(error) ?? 'INTERNAL', message: detailOf(error) }
      })
  }
  const answer = told('result-unproven', {}, { state: 'warning', code: 'UNPROVEN', value: summary.doneAfter })
  return new NodeAnswer({ payload: summary, acquisition: summary }, answer)
}
