import type { Attempt, Outlier } from '../../../lib/robotics'
import { asked } from './confirm'
import type { DriveWork } from './parts'
import { short } from './plan-report'
import { slotOf } from './slots'
import { sentencesOf } from '../../sentences'

const { say } = sentencesOf('hand-eye-calibration/drive')

/**
 * Asks about each pose with which the result would not be as accurate as wanted whether the device is to calibrate without it, and deletes it there. Where
 * a person confirms only the pose of the robot, it is left out and told.
 */
export async function leaveOut(
  work: DriveWork,
  attempts: readonly Attempt[],
  outliers: readonly Outlier[],
): Promise<void> {
  const { step, settings, signal, tell } = work
  const { session, device } = step
  for (const { index, without, with: including } of outliers) {
    if (isAccurate(including, settings.plan.wanted)) continue
    const attempt = attempts[index]
    const slot = attempt && slotOf(session.poses, attempt.robot)
    if (slot === undefined) continue
    const number = index + 1
    const figures = { number, without: millimetres(without), including: millimetres(including) }
    const report = (event: string) => ({
      ...{ event, ok: false, number, text: say('line-drive-misfit', { number }) },
      details: say('drive-misfit', figures),
    })
    if (settings.confirm !== 'none') {
      const answer = await asked(
        work,
        () => report('confirm-leave-out'),
        () => say('drive-leave-out', { number }),
        signal,
      )
      if (answer === 'skip') continue
    }
    const { success } = await device.deletePose(slot)
    if (!success) continue
    session.poses.delete(slot)
    tell(() => ({ ...report('left-out'), text: say('line-drive-misfit-out', { number }) }))
  }
}

/** With a pose that hardly matters, nobody is bothered. */
const isAccurate = (
  { translation, rotationDegrees }: Outlier['with'],
  wanted: { metres: number; degrees: number } = { metres: 0.001, degrees: 0.1 },
): boolean => translation <= wanted.metres && rotationDegrees <= wanted.degrees

/** Of position; a set without a result has no bound. */
const millimetres = ({ translation }: { translation: number }): string =>
  Number.isFinite(translation) ? String(short(1000 * translation)) : '∞'
