import { nearDuplicates, type Pose } from '../../lib/robotics'
import { readPossiblePose, suspicionText } from '../shared/poses'
import { shown } from '../shared/shown'
import { slotCount } from './hand-eye-device'
import type { Report } from './report'
import { gridUnseen } from './session'
import { caughtUp, progress, type CalibrationStep } from './step'
import { sentencesOf, type SentenceOf } from '../sentences'

const { invalidInput, say } = sentencesOf('hand-eye-calibration')

/** Why a device does not accept a pose, by the status of `set_pose`. */
const reasons: Partial<Record<number, SentenceOf<'hand-eye-calibration'>>> = {
  [gridUnseen]: 'pose-rejected-grid',
  8: 'pose-rejected-image',
  9: 'pose-rejected-busy',
}

/**
 * Records a pose of the robot with the camera's view of the grid.
 * @param number number of the pose, from 1; by default the first free one
 * @throws INVALID_INPUT if it is not a valid pose
 */
export async function record(step: CalibrationStep, given: unknown, number?: number): Promise<Report> {
  const { setup, session, device, settle } = step
  const { pose, suspicions } = readPossiblePose(setup.robot, given)
  const doubts = suspicions.map((each) => suspicionText(each, setup.robot.format))
  await settle()
  const noticed = [...doubts, ...(await caughtUp(step))]

  const slot = number === undefined ? session.slotFor(pose) : number - 1
  if (slot === undefined) return progress(step, { event: 'refused', ok: false }, [say('hand-eye-full')])
  const sameAs = twinOf(pose, slot, session.poses)
  const answer = await session.record(device, slot, pose)
  const place = { number: slot + 1 }
  if (!answer.success) {
    const { status, message } = answer
    const reason = reasons[status]
    const why = reason ? say(reason, place) : say('pose-rejected', place)
    const said = say(message ? 'hand-eye-said' : 'hand-eye-status', { message, status })
    const unseen = status === gridUnseen
    const far = unseen && session.failures > 1 ? [say('hand-eye-check-distance')] : []
    const report = { event: 'pose-rejected', ok: false, ...place, unseen, answer }
    return progress(step, report, [why, said, ...far, ...noticed])
  }
  await sightAt(step, slot)
  const stored = say('hand-eye-stored', { ...place, poses: session.poses.size })
  const bright = answer.overexposed ? [say('hand-eye-overexposed', place)] : []
  const same = sameAs === undefined ? [] : [say('hand-eye-same', { ...place, same: sameAs })]
  const report = { event: 'pose-stored', ...place, ...(sameAs !== undefined && { sameAs }), answer }
  return progress(step, report, [stored, ...same, ...bright, ...noticed])
}

/** Keeps how the grid is seen in a picture of our own. Without one the calibration goes on: it explains bad results only. */
async function sightAt({ session, look }: CalibrationStep, slot: number): Promise<void> {
  session.sights.delete(slot)
  if (!look || session.isSightless) return
  try {
    session.sights.set(slot, await look())
  } catch {
    session.isSightless = true
  }
}

/** Number of the recorded pose that is nearly identical to this one. */
function twinOf(pose: Pose, slot: number, poses: ReadonlyMap<number, Pose>): number | undefined {
  const twin = [...poses].find(([other, each]) => other !== slot && nearDuplicates([each, pose]).length > 0)
  return twin && twin[0] + 1
}

/** The number of a pose from a message. @throws INVALID_INPUT if there is no such number */
export function poseNumber(given: unknown): number | undefined {
  const text = typeof given === 'string' ? given.trim() : given
  if (text === undefined || text === null || text === '') return undefined
  const number = typeof text === 'string' || typeof text === 'number' ? Number(text) : NaN
  if (Number.isInteger(number) && number >= 1 && number <= slotCount) return number
  throw invalidInput('hand-eye-number', { value: shown(text), most: slotCount })
}
