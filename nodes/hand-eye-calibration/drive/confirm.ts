/** Asks for confirmations, and moves the robot only after them. */
import { setImmediate } from 'node:timers/promises'
import {
  type CalibrationParts,
  differenceOf,
  missedBy,
  type Mover,
  type PoseDifference,
} from '../../../lib/calibration'
import { moverOf, RobotError, type RobotState } from '../../../lib/robot-motion'
import { type Attempt, type Go, isSighting, type Next, type Pose, stepsTo } from '../../../lib/robotics'
import { confirmPose, askFromPose } from '../../robot-motion/question'
import { sentencesOf } from '../../sentences'
import { currentLanguage } from '../../shared/node-error'
import { posesIn, readStandingPose, shapedPose, shortPose, threeDigits } from '../../shared/poses'
import { outputs } from '../report'
import type { DriveWork } from './settings'
import { type DriveReport, planReport, type PoorEnd } from './reports'

const { say } = sentencesOf('hand-eye-calibration/drive')

interface ConfirmContext {
  next: (attempts: readonly Attempt[]) => Next
  attempts: () => readonly Attempt[]
  at: () => Pose | undefined
  remark?: () => string | undefined
}

/** Moved, by hand or by a controller restart, so far that no motion can begin. */
export class MovedAway extends Error {
  override readonly name = 'MovedAway'
  readonly end: Extract<PoorEnd, { kind: 'elsewhere' }>

  constructor(expected: Pose, now: Pose, cause: unknown) {
    super('The robot was moved.', { cause })
    this.end = { kind: 'elsewhere', expected, off: differenceOf(expected, now) }
  }
}

/** Plans shift by some millimetres with each picture; poses farther from all shown ones are new. */
const sameAsShown: PoseDifference = { metres: 0.01, degrees: 2 }

/**
 * Reports each movement with its plan and waits for the operator according to the settings; asks again if the plan changes
 * beyond what was shown. A movement beyond the limits is left out.
 */
export function confirmation(work: DriveWork, context: ConfirmContext): CalibrationParts['confirm'] {
  const { deployed, settings, step, send, driving } = work
  let confirmed: readonly Pose[] | undefined
  return async (move, signal) => {
    const attempts = context.attempts()
    if (deployed) {
      const problem = await beyondLimits(deployed.robot, context.at(), [...move.via, move.pose], signal)
      if (problem) {
        const number = attempts.length + 1
        send({
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
      send(() => inWords(start))
      return 'go'
    }
    const isWholePlan = settings.confirm === 'first' && move.purpose === 'view'
    const changes = shown && changesOf(plan.poses, isNew, shown, attempts.length + 1)
    const demand = changes ? 'drive-confirm-changed' : isWholePlan ? 'drive-confirm-plan' : 'drive-confirm'
    const answer = await askFrom(work, start, [...move.via, move.pose], signal, (from, open) =>
      askOperator(
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

/** With the distance to the nearest pose that was shown. */
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
            millimetres: threeDigits(1000 * nearest.metres),
            degrees: threeDigits(nearest.degrees),
          },
        ]
      : []
  })

const changesInWords = (changes: readonly PlanChange[]): string =>
  say('drive-plan-changed', {
    poses: changes.map((each) => say('drive-plan-change', { ...each })).join('; '),
  })

/**
 * Asks about a motion from the current pose, and again after the robot was moved; a stop closes the question.
 * @throws MovedAway if the motion is no longer possible
 */
export async function askFrom<Answer>(
  { deployed, driving, step }: DriveWork,
  start: Pose,
  along: readonly Pose[],
  signal: AbortSignal,
  ask: (from: Pose, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  if (!deployed) return ask(start, signal)
  const { robot } = deployed
  const standing = await robot.read(signal)
  const { answer } = await askFromPose(deployed, standing, signal, (state, open) => {
    driving.display.at = shortPose(step.setup.robot, state.flange)
    if (state !== standing) limited(robot, start, state, along)
    return ask(state.flange, open)
  })
  return answer
}

/**
 * @param signal closes the question
 * @returns `skip` if declined
 * @throws RobotError NOT_CONFIRMED without an answer in time
 */
export async function askOperator(
  { driving, settings, inbound, send }: DriveWork,
  report: () => DriveReport,
  demand: () => string,
  signal: AbortSignal,
): Promise<'go' | 'skip'> {
  inbound.progress('confirmMotion')
  const question = (request: string) => () => {
    const content = report()
    return { ...content, details: `${content.details} ${demand()}`, request }
  }
  try {
    await driving.question.put((request) => send(question(request)), settings.confirmWithin, signal)
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
    if (error instanceof RobotError && error.code === 'LIMIT') return error.retold(currentLanguage())
    throw error
  }
}

/** A motion that is too long only because the robot was moved does not exceed the limits. @throws MovedAway; RobotError */
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

/** Longer plans are not listed. */
const most = 20

/**
 * The poses to the end, next first, if the grid is seen as expected; some milliseconds of computing each.
 * @returns whether the list is complete: during the first moves only the next pose is known
 */
async function foreseen(
  next: (attempts: readonly Attempt[]) => Next,
  attempts: readonly Attempt[],
  move: Go,
  signal: AbortSignal,
): Promise<{ poses: Pose[]; isWhole: boolean }> {
  const poses: Pose[] = [move.pose]
  const assumed = [...attempts]
  let last = move
  while (last.seenAs && poses.length < most) {
    await setImmediate()
    signal.throwIfAborted()
    assumed.push({ purpose: last.purpose, robot: last.pose, grid: last.seenAs, assumed: true })
    const then = next(assumed)
    if (then.kind !== 'go') return { poses, isWhole: true }
    poses.push(then.pose)
    last = then
  }
  return { poses, isWhole: false }
}

/** In a straight line; declining ends it. */
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
      askFrom(work, from, steps, open, (_, still) => askOperator(work, report, demand, still)),
    )
    if (answer === 'skip') driving.stop()
    signal.throwIfAborted()
  }
  await mover.moveAlong(steps, signal)
}

/** Returns to the last observed pose after an interruption, once confirmed. */
export async function backToLast(
  work: DriveWork,
  mover: DriveMover,
  attempts: readonly Attempt[],
): Promise<void> {
  const last = attempts.findLast(isSighting)
  const { pose } = await mover.standing(work.signal)
  const off = last && missedBy(last.robot, pose)
  if (!off) return
  const place = { millimetres: threeDigits(1000 * off.metres), degrees: threeDigits(off.degrees) }
  await moved(work, mover, last.robot, {
    event: 'confirm-way-back',
    details: () => say('drive-way-back', place),
  })
}

export interface DriveMover extends Mover {
  at: () => Pose | undefined
}

/** @param start reported by the robot of a flow */
export function driveMover(work: DriveWork, numberOf: () => number, start: Pose | undefined): DriveMover {
  const { inbound, deployed, driving, step } = work
  const { setup } = step
  const inner = deployed ? moverOf(deployed.robot) : byFlow(work, numberOf, start)
  let at: Pose | undefined
  return {
    at: () => at,
    standing: async (signal) => {
      const standing = await inner.standing(signal)
      at = standing.pose
      driving.display.at = shortPose(setup.robot, at)
      return standing
    },
    moveAlong: async (poses, signal) => {
      inbound.progress(deployed ? 'robotMoving' : 'waitsForRobot', numberOf())
      await inner.moveAlong(poses, signal)
    },
  }
}

/** First motion by the flow, at most: the operator sees whether the robot program reads the numbers correctly. */
const firstStep = { metres: 0.1, degrees: 15 }

/** Answered with `arrived`. */
function byFlow(
  { inbound, step: { setup }, driving, settings }: DriveWork,
  numberOf: () => number,
  start: Pose | undefined,
): Mover {
  let at = start
  let hasArrived = false
  return {
    standing: () =>
      at ? Promise.resolve({ pose: at, atRest: true }) : Promise.reject(new Error('no start pose')),
    moveAlong: async (poses, signal) => {
      const [first, ...others] = poses
      const all = !hasArrived && at && first ? [...stepsTo(at, first, firstStep), ...others] : poses
      for (const [index, pose] of all.entries()) {
        const target = shapedPose(setup.robot, pose, 'object')
        const place = { number: numberOf(), step: index + 1, steps: all.length }
        const text = say('drive-go', place)
        const { command, pose: property } = inbound.answerBy
        const go = () =>
          inbound.notify(
            outputs.move,
            {
              [property]: target,
              ...(command !== undefined && { [command]: 'arrived' }),
              move: { ...place, text, poseText: String(shapedPose(setup.robot, pose, 'text')) },
            },
            { text, value: place.number },
          )
        at = (await driving.arrival.after(go, settings.arriveWithin, signal)) ?? pose
        hasArrived = true
      }
    },
  }
}

/** The plan leaves out poses that a motion failed on. */
export const notingFailures = (mover: Mover, note: () => Promise<void>): Mover => ({
  ...mover,
  moveAlong: async (poses, signal) => {
    try {
      await mover.moveAlong(poses, signal)
    } catch (error) {
      if (isOfPose(error)) await note()
      throw error
    }
  },
})

/** The robot does not retry a pose after these. */
const avoided: ReadonlySet<string> = new Set(['PROTECTIVE_STOP', 'REFUSED', 'NOT_THERE', 'LIMIT'])

const isOfPose = (error: unknown): boolean => error instanceof RobotError && avoided.has(error.code)

const { invalidInput } = sentencesOf('hand-eye-calibration')

/**
 * Checks that the robot can move, and has its pose confirmed unless it was confirmed since the deploy. Moves nothing.
 * @returns its pose, from the robot or the message
 * @throws RobotError; INVALID_INPUT without a pose
 */
export async function standingPose(work: DriveWork): Promise<Pose> {
  const { deployed, driving, settings, inbound, signal, step } = work
  if (!deployed) {
    const pose = posesIn(step.setup.robot, [inbound.read('pose')])?.[0]
    if (pose === undefined) throw invalidInput('drive-no-start-pose')
    return readStandingPose(step.setup.robot, pose).pose
  }
  const state = await deployed.robot.ready(signal)
  if (deployed.robot.permit.is === 'unconfirmed') {
    inbound.progress('confirmPose')
    await confirmPose(deployed, state, {
      ...{ question: driving.question, within: settings.confirmWithin, shape: 'object' },
      signal,
      send: ({ payload }, _, again) =>
        work.send(() => ({ ok: true, text: again(), details: again(), ...(payload as { event: string }) })),
    })
  }
  return state.flange
}

/** Up to the last one with a visible grid; a hidden grid may explain the later ones. */
export function withoutUnseen(attempts: readonly Attempt[]): Attempt[] {
  const last = attempts.findLastIndex(isSighting)
  return last < 0 ? [] : attempts.filter((attempt, index) => index <= last || attempt.skipped)
}
