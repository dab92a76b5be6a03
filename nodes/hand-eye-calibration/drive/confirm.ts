import type { CalibrationParts } from '../../../lib/calibration'
import { RobotError } from '../../../lib/robot-motion'
import type { Attempt, Next, Pose } from '../../../lib/robotics'
import { shortPose } from '../../shared/poses/shaped-pose'
import { spoken } from '../../shared/node-error'
import { foreseen } from './foresee'
import type { DriveWork } from './parts'
import { planReport } from './plan-report'
import type { DriveReport } from './report'
import { say } from './sentences'

/** What a confirmation is asked about. */
export interface ConfirmContext {
  next: (attempts: readonly Attempt[]) => Next
  attempts: () => readonly Attempt[]
  /** Where the robot stands. */
  at: () => Pose | undefined
  /** What else a person should know. */
  remark?: () => string | undefined
}

/**
 * Tells each movement with the plan behind it, and waits for a person as the settings say. A movement beyond the limits of
 * the robot is left out.
 */
export function confirmation(work: DriveWork, context: ConfirmContext): CalibrationParts['confirm'] {
  const { deployed, settings, step, tell, driving } = work
  let isPlanConfirmed = false
  return async (move, signal) => {
    const attempts = context.attempts()
    if (deployed) {
      const problem = await beyondLimits(deployed.robot, [...move.via, move.pose], signal)
      if (problem) {
        const number = attempts.length + 1
        tell({
          event: 'left-out',
          ok: false,
          text: say('line-drive-left-out', { number }),
          details: say('drive-left-out', { number, problem: problem.message }),
          number,
        })
        return 'skip'
      }
    }
    const plan = await foreseen(context.next, attempts, move, signal)
    const from = context.at() ?? move.pose
    const inWords = () => {
      const report = planReport(step.setup, settings, { attempts, move, from, ...plan })
      const remark = context.remark?.()
      return remark === undefined ? report : { ...report, details: `${report.details} ${remark}` }
    }
    const report = inWords()
    driving.latest = report
    driving.display.plans(
      plan.poses.map((pose, index) => ({
        number: attempts.length + 1 + index,
        pose,
        text: shortPose(step.setup.robot, pose),
      })),
      inWords,
    )
    if (settings.confirm === 'none' || (settings.confirm === 'first' && isPlanConfirmed)) {
      tell(inWords)
      return 'go'
    }
    const isWholePlan = settings.confirm === 'first' && move.purpose === 'view'
    const answer = await asked(
      work,
      () => ({ ...inWords(), event: 'confirm-motion' }),
      () => say(isWholePlan ? 'drive-confirm-plan' : 'drive-confirm'),
      signal,
    )
    if (answer === 'go' && isWholePlan) isPlanConfirmed = true
    return answer
  }
}

/** Asks a person. @throws RobotError NOT_CONFIRMED if nobody answers in time */
export async function asked(
  { driving, settings, inbound, tell }: DriveWork,
  report: () => DriveReport,
  demand: () => string,
  signal: AbortSignal,
): Promise<'go' | 'skip'> {
  inbound.progress('confirmMotion')
  const question = (request: string) => () => {
    const told = report()
    return { ...told, details: `${told.details} ${demand()}`, request }
  }
  const asking = driving.asking
  try {
    await driving.question.put(
      (request) => tell(question(request)),
      settings.confirmWithin,
      AbortSignal.any([signal, asking]),
    )
    return 'go'
  } catch (error) {
    const isDeclined = error instanceof RobotError && error.key === 'robot-declined'
    if (isDeclined || (asking.aborted && !signal.aborted)) return 'skip'
    throw error
  }
}

async function beyondLimits(
  robot: NonNullable<DriveWork['deployed']>['robot'],
  poses: readonly Pose[],
  signal: AbortSignal,
): Promise<RobotError | undefined> {
  const state = await robot.read(signal)
  try {
    robot.check(state, poses)
    return undefined
  } catch (error) {
    if (error instanceof RobotError && error.code === 'LIMIT') return error.inLanguage(spoken())
    throw error
  }
}
