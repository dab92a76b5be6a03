import { distance } from '../../lib/robotics'
import type { CalibrationAnswer } from './answers'
import { markOf, placeOf, type Mark } from './mark'
import type { Report } from './report'
import { shownCalibration } from './result'
import type { CalibrationStep } from './step'
import { sentencesOf } from '../sentences'

const { invalidInput, say } = sentencesOf('hand-eye-calibration')

/**
 * Measures the error of a calibration at a point: one that the robot touched, or one that was seen from two poses.
 * @param given a mark, or an array of them. A mark that was not touched waits for a second one
 * @throws INVALID_INPUT if there is no calibration, or a mark is incomplete
 */
export async function check(step: CalibrationStep, given: unknown): Promise<Report> {
  const marks = (Array.isArray(given) ? (given as unknown[]) : [given]).map((each) =>
    markOf(each, step.setup.robot),
  )
  return checkAt(step, marks, await presentCalibration(step))
}

/** The result that waits to be saved, or the one on the device. @throws INVALID_INPUT without any */
export const presentCalibration = async (step: CalibrationStep): Promise<CalibrationAnswer> =>
  step.session.result?.calibration ?? (await saved(step))

/** The error of a calibration at marks. */
export function checkAt(
  step: CalibrationStep,
  marks: readonly Mark[],
  calibration: CalibrationAnswer,
): Report {
  const { setup } = step
  const errors = marks.flatMap((mark) => errorAt(step, mark, calibration))
  if (errors.length === 0) return { event: 'check-waits', ok: true, details: say('check-waits') }

  const millimetres = Number((1000 * Math.max(...errors)).toPrecision(3))
  const limit = setup.limitCheck
  const shown = shownCalibration(setup, calibration)
  const good = millimetres <= limit
  const details = say(good ? 'check-good' : 'check-bad', { millimetres, limit })
  return { event: 'checked', ok: good, details, good, millimetres, limit, ...shown }
}

async function saved({ device }: CalibrationStep): Promise<CalibrationAnswer> {
  const calibration = await device.savedCalibration()
  if (calibration.success) return calibration
  throw invalidInput('check-no-calibration')
}

/** Metres; undefined for the first untouched mark. */
function errorAt({ session }: CalibrationStep, mark: Mark, calibration: CalibrationAnswer): number[] {
  const place = placeOf(mark, calibration)
  if (mark.touched) return [distance(place, mark.touched)]
  const { mark: first } = session
  if (!first) {
    session.mark = mark
    return []
  }
  return [distance(place, placeOf(first, calibration))]
}
