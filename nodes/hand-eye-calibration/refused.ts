import type { HandEyeAnswer } from './answers'
import type { Report } from './report'
import { progress, type CalibrationStep } from './step'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('hand-eye-calibration')

/** The report of a refused step, with the device's message. */
export function refusedBy(
  step: CalibrationStep,
  answer: HandEyeAnswer,
  why: string,
  more: object = {},
): Report {
  const { status, message } = answer
  const said = say(message ? 'hand-eye-said' : 'hand-eye-status', { message, status })
  return progress(step, { event: 'refused', ok: false, ...more, answer }, [why, said])
}
