import { missedBy } from '../../../lib/calibration'
import { isSighting, stepsTo, type Attempt, type Pose } from '../../../lib/robotics'
import { shapedPose, shortPose } from '../../shared/poses'
import { asked, askedFrom } from './confirm'
import type { DriveMover } from './movers'
import type { DriveWork } from './parts'
import { short } from './plan-report'
import { sentencesOf } from '../../sentences'

const { say } = sentencesOf('hand-eye-calibration/drive')

/** Moves in a straight line; who declines ends it. */
export async function moved(
  work: DriveWork,
  mover: DriveMover,
  pose: Pose,
  { event, details, isConfirmed = false }: { event: string; details: () => string; isConfirmed?: boolean },
): Promise<void> {
  const { settings, signal, step, driving } = work
  const { pose: from } = await mover.standing(signal)
  const steps = stepsTo(from, pose, settings.plan.limits.step)
  if (!isConfirmed) {
    const poseText = String(shapedPose(step.setup.robot, pose, 'text'))
    const report = () => ({
      event,
      ok: true,
      text: say('line-drive-confirm'),
      details: details(),
      poseText,
      steps: steps.length,
    })
    const demand = () => say('drive-confirm-way', { pose: shortPose(step.setup.robot, pose) })
    const answer = await driving.permitted((open) =>
      askedFrom(work, from, steps, open, (_, still) => asked(work, report, demand, still)),
    )
    if (answer === 'skip') driving.stop()
    signal.throwIfAborted()
  }
  await mover.moveAlong(steps, signal)
}

/** A robot that was interrupted on its way goes back to where it looked last, after a person has confirmed. */
export async function backToLast(
  work: DriveWork,
  mover: DriveMover,
  attempts: readonly Attempt[],
): Promise<void> {
  const last = attempts.findLast(isSighting)
  const { pose } = await mover.standing(work.signal)
  const off = last && missedBy(last.robot, pose)
  if (!off) return
  const place = { millimetres: short(1000 * off.metres), degrees: short(off.degrees) }
  await moved(work, mover, last.robot, {
    event: 'confirm-way-back',
    details: () => say('drive-way-back', place),
  })
}
