import { isSighting, type Attempt, type Pose } from '../../../lib/robotics'
import { confirmPose } from '../../robot-motion/confirm-pose'
import { posesIn, readStandingPose } from '../../shared/poses'
import type { DriveWork } from './parts'
import { sentencesOf } from '../../sentences'

const { invalidInput } = sentencesOf('hand-eye-calibration')

/**
 * Checks that the robot could move, and has a person confirm its pose where nobody has since the deploy. Moves nothing.
 * @returns where it stands: as the robot says itself, or the message of a flow
 * @throws RobotError; INVALID_INPUT without a pose
 */
export async function standingPose(work: DriveWork): Promise<Pose> {
  const { deployed, driving, settings, inbound, signal, step } = work
  if (!deployed) {
    const given = posesIn(step.setup.robot, [inbound.read('pose')])?.[0]
    if (given === undefined) throw invalidInput('drive-no-start-pose')
    return readStandingPose(step.setup.robot, given).pose
  }
  const state = await deployed.robot.ready(signal)
  if (deployed.robot.permit.is === 'unconfirmed') {
    inbound.progress('confirmPose')
    await confirmPose(deployed, state, {
      ...{ question: driving.question, within: settings.confirmWithin, shape: 'object' },
      signal,
      tell: ({ payload }, _, again) =>
        work.tell(() => ({ ok: true, text: again(), details: again(), ...(payload as { event: string }) })),
    })
  }
  return state.flange
}

/** The attempts up to the last at which the grid was seen: what came after it, a hidden grid may explain. */
export function withoutUnseen(attempts: readonly Attempt[]): Attempt[] {
  const last = attempts.findLastIndex(isSighting)
  return last < 0 ? [] : attempts.filter((attempt, index) => index <= last || attempt.skipped)
}
