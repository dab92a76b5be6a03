import { refusedBy } from './refused'
import type { Report } from './report'
import { caughtUp, progress, type CalibrationStep } from './step'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('hand-eye-calibration')

/** Deletes the pose that was recorded last, or the one with the given number. */
export async function undo(step: CalibrationStep, number?: number): Promise<Report> {
  const { session, device } = step
  const noticed = await caughtUp(step)
  const slot = number === undefined ? (session.last ?? session.slots().at(-1)) : number - 1
  if (slot === undefined || !session.poses.has(slot))
    return progress(step, { event: 'refused', ok: false }, [say('hand-eye-nothing-to-undo'), ...noticed])
  const answer = await device.deletePose(slot)
  const place = { number: slot + 1 }
  if (!answer.success) return refusedBy(step, answer, say('hand-eye-not-undone', place), place)
  session.poses.delete(slot)
  session.last = session.result = undefined
  const said = say('hand-eye-undone', { ...place, poses: session.poses.size })
  return progress(step, { event: 'pose-deleted', ...place }, [said, ...noticed])
}
