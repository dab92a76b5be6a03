import { refusedBy } from './refused'
import type { Report } from './report'
import { progress, type CalibrationStep } from './step'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('hand-eye-calibration')

/** Configures grid and mounting on the device, and removes the poses of an earlier calibration; a saved one remains. */
export async function start(step: CalibrationStep): Promise<Report> {
  const { setup, session, device } = step
  session.clear()
  await device.configure(setup.parameters)
  const answer = await device.reset()
  if (!answer.success) return refusedBy(step, answer, say('hand-eye-not-reset'))
  const { grid_width: width = 0, grid_height: height = 0 } = setup.parameters
  const grid = `${millimetres(width)} × ${millimetres(height)} mm`
  const key = setup.robotMounted ? 'hand-eye-started-robot' : 'hand-eye-started-fixed'
  return progress(step, { event: 'started' }, [say(key, { grid })])
}

const millimetres = (metres: number | boolean) => Number((1000 * Number(metres)).toPrecision(6))

/** Removes the recorded poses and resets the procedure; a saved calibration remains. */
export async function cancel(step: CalibrationStep): Promise<Report> {
  step.session.clear()
  const answer = await step.device.reset()
  if (!answer.success) return refusedBy(step, answer, say('hand-eye-not-reset'))
  return progress(step, { event: 'cancelled' }, [say('hand-eye-cancelled')])
}
