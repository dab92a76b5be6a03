import { refusedBy } from './refused'
import type { Report } from './report'
import type { CalibrationStep } from './step'
import { sentencesOf } from '../sentences'

const { invalidInput, say } = sentencesOf('hand-eye-calibration')

/**
 * Saves the result on the device, which then uses it and removes the poses. The report repeats the result.
 * @throws INVALID_INPUT if there is no result, or none that may be saved
 */
export async function save(step: CalibrationStep): Promise<Report> {
  const { setup, session, device } = step
  const { result } = session
  if (!result) throw invalidInput('nothing-to-save')
  if (!result.good && !setup.asksToSave)
    throw invalidInput(setup.isDriven ? 'not-good-enough-driven' : 'not-good-enough')
  const isOwn = session.own !== undefined && session.own === result.calibration
  const answer = await (isOwn ? device.give(result.calibration) : device.save())
  if (!answer.success) {
    // 2: the device no longer has a result.
    if (answer.status === 2) session.result = undefined
    return refusedBy(step, answer, say(answer.status === 2 ? 'result-lost' : 'save-failed'), { saved: false })
  }
  session.clear()
  return { ...result, event: 'saved', ok: true, saved: true, details: say('saved') }
}
