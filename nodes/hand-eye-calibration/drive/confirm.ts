import { differenceOf, missedBy, type CalibrationParts, type PoseDifference } from '../../../lib/calibration'
import { RobotError, type RobotState } from '../../../lib/robot-motion'
import type { Attempt, Next, Pose } from '../../../lib/robotics'
import { askedWhereItStands } from '../../robot-motion/question'
import { shortPose } from '../../shared/poses'
import { spoken } from '../../shared/node-error'
import type { PoorEnd } from './ends'
import { foreseen } from './foresee'
import type { DriveWork } from './parts'
import { planReport, short } from './plan-report'
import type { DriveReport } from './report'
import { sentencesOf } from '../../sentences'

const { say } = sentencesOf('hand-eye-calibration/drive')

/** What a confirmation is asked about. */
export interface ConfirmContext {
  next: (attempts: readonly Attempt[]) => Next
  attempts: () => readonly Attempt[]
  /** Where the robot stands. */
  at: () => Pose | undefined
  /** What else a person should know. */
  remark?: () => string | undefined
}

/** The robot was moved so far away, by hand or by a restart of its controller, that a motion no longer begins where it stands. */
export class MovedAway extends Error {
  override readonly name = 'MovedAway'
  readonly end: Extract<PoorEnd, { kind: 'elsewhere' }>

  /** @param expected where the robot stood */
  constructor(expected: Pose, now: Pose, cause: unknown) {
    super('The robot was moved.', { cause })
    this.end = { kind: 'elsewhere', expected, off: differenceOf(expected, now) }
  }
}

/** A plan shifts by a few millimetres with each look; a pose that is farther from all that was shown is a new one. */
const sameAsShown: PoseDifference = { metres: 0.01, degrees: 2 }

/**
 * Tells each movement with the plan behind it, and waits for a person as the settings say. Who has confirmed a plan is asked
 * again where it changes beyond what was shown. A movement beyond the limits of the robot is left out.
 */
export function confirmation(work: DriveWork, context: ConfirmContext): CalibrationParts['confirm'] {
  const { deployed, settings, step, tell, driving } = work
  /** Poses of a plan that a person has confirmed. */
  let confirmed: readonly Pose[] | undefined
  return async (move, signal) => {
    const attempts = context.attempts()
    if (deployed) {
      const problem = await beyondLimits(deployed.robot, context.at(), [...move.via, move.pose], signal)
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
    const inWords = (from: Pose) => {
      const report = planReport(step.setup, settings, { attempts, move, from, ...plan })
      const remark = context.remark?.()
      return remark === undefined ? report : { ...report, details: `${report.details} ${remark}` }
    }
    const start = context.at() ?? move.pose
    driving.latest = inWords(start)
    driving.display.plans(
      plan.poses.map((pose, index) => ({
        number: attempts.length + 1 + index,
        pose,
        text: shortPose(step.setup.robot, pose),
      })),
      () => inWords(start),
    )
    const shown = confirmed && [...confirmed, ...attempts.map(({ robot }) => robot)]
    const isNew = (pose: Pose) => !shown?.some((each) => isSame(differenceOf(each, pose)))
    if (settings.confirm === 'none' || (shown && !isNew(move.pose))) {
      tell(() => inWords(start))
      return 'go'
    }
    const isWholePlan = settings.confirm === 'first' && move.purpose === 'view'
    const changes = shown && changesOf(plan.poses, isNew, shown, attempts.length + 1)
    const demand = changes ? 'drive-confirm-changed' : isWholePlan ? 'drive-confirm-plan' : 'drive-confirm'
    const answer = await askedFrom(work, start, [...move.via, move.pose], signal, (from, open) =>
      asked(
        work,
        () => ({ ...inWords(from), event: 'confirm-motion', ...(changes && { changes }) }),
        () => [...(changes ? [changesInWords(changes)] : []), say(demand)].join(' '),
        open,
      ),
    )
    if (answer === 'go' && (isWholePlan || changes)) confirmed = [...(confirmed ?? []), ...plan.poses]
    return answer
  }
}

const isSame = ({ metres, degrees }: PoseDifference) =>
  metres <= sameAsShown.metres && degrees <= sameAsShown.degrees

type PlanChange = NonNullable<DriveReport['changes']>[number]

/** The new poses of a plan, each with how far it is from the nearest pose that was shown. */
const changesOf = (
  poses: readonly Pose[],
  isNew: (pose: Pose) => boolean,
  shown: readonly Pose[],
  first: number,
): PlanChange[] =>
  poses.flatMap((pose, index) => {
    if (!isNew(pose)) return []
    const far = ({ metres, degrees }: PoseDifference) =>
      Math.max(metres / sameAsShown.metres, degrees / sameAsShown.degrees)
    const [nearest] = shown
      .map((each) => differenceOf(each, pose))
      .sort((one, other) => far(one) - far(other))
    return nearest
      ? [
          {
            number: first + index,
            millimetres: short(1000 * nearest.metres),
            degrees: short(nearest.degrees),
          },
        ]
      : []
  })

const changesInWords = (changes: readonly PlanChange[]): string =>
  say('drive-plan-changed', {
    poses: changes.map((each) => say('drive-plan-change', { ...each })).join('; '),
  })

/**
 * Asks about a motion from where the robot stands, and again where it is moved meanwhile; closed by whatever stops it.
 * @param along the poses of the motion
 * @throws MovedAway if it was moved so far that the motion is no longer possible
 */
export async function askedFrom<Answer>(
  { deployed, driving, step }: DriveWork,
  start: Pose,
  along: readonly Pose[],
  signal: AbortSignal,
  ask: (from: Pose, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  if (!deployed) return ask(start, signal)
  const { robot } = deployed
  const standing = await robot.read(signal)
  const { answer } = await askedWhereItStands(deployed, standing, signal, (state, open) => {
    driving.display.at = shortPose(step.setup.robot, state.flange)
    if (state !== standing) limited(robot, start, state, along)
    return ask(state.flange, open)
  })
  return answer
}

/**
 * Asks a person.
 * @param signal closes the question
 * @returns `skip` if it is declined
 * @throws RobotError NOT_CONFIRMED if nobody answers in time
 */
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
  try {
    await driving.question.put((request) => tell(question(request)), settings.confirmWithin, signal)
    return 'go'
  } catch (error) {
    if (error instanceof RobotError && error.key === 'robot-declined') return 'skip'
    throw error
  } finally {
    driving.changed()
  }
}

type LimitedRobot = NonNullable<DriveWork['deployed']>['robot']

async function beyondLimits(
  robot: LimitedRobot,
  at: Pose | undefined,
  poses: readonly Pose[],
  signal: AbortSignal,
): Promise<RobotError | undefined> {
  const state = await robot.read(signal)
  try {
    limited(robot, at, state, poses)
    return undefined
  } catch (error) {
    if (error instanceof RobotError && error.code === 'LIMIT') return error.retold(spoken())
    throw error
  }
}

/** A motion that is too long only because the robot was moved is no matter of the limits. @throws MovedAway; RobotError */
function limited(robot: LimitedRobot, at: Pose | undefined, state: RobotState, poses: readonly Pose[]): void {
  try {
    robot.check(state, poses)
  } catch (error) {
    const isMoved = at !== undefined && missedBy(at, state.flange) !== undefined
    if (isMoved && error instanceof RobotError && error.code === 'LIMIT')
      throw new MovedAway(at, state.flange, error)
    throw error
  }
}
