/** Questions that only an operator on site answers, and the confirmation of the robot's pose. */
import type { NodeMessage } from 'node-red'
import {
  robotErrorsOf,
  RobotError,
  type RobotErrorCode,
  isAtRest,
  type RobotState,
} from '../../lib/robot-motion/state'
import { catalogOf, type SentenceOf, sentencesOf } from '../sentences'
import { isCommanded } from '../shared/permission'
import { missedBy } from '../../lib/calibration/procedure'
import { Replies, type Verdict } from '../../lib/kernel/replies'
import { check } from '../../lib/kernel/scope'
import { type DeployedRobot, stateInNumbers } from './deployed-robot'
import type { OutcomeSummary, Properties } from '../shared/outcome'
import { shortPose, type PoseShape } from '../shared/poses'

const { nodeError, say, summarize } = sentencesOf('robot-motion')

const failed = robotErrorsOf(catalogOf('robot-motion'))

/** An error of the nodes with a code of the robot's. */
export const motionError = (
  code: RobotErrorCode,
  key: SentenceOf<'robot-motion'>,
  values: Record<string, unknown> = {},
): RobotError => failed({ code, key, values })

/**
 * Refuses commands from a centre: their sender does not see the robot.
 * @throws RobotError FROM_COMMAND
 */
export function mustBeLocal(msg: NodeMessage): void {
  if (isCommanded(msg)) throw motionError('FROM_COMMAND', 'robot-from-command')
}

/** Milliseconds too short for reading a question: an earlier answer was meant for something else. */
export const readingTime = 700

/** A question that only a person answers: once, with its id, and not before it can have been read. */
export class Question {
  readonly #replies = new Replies<'yes' | 'no'>()

  /** Whether somebody waits for an answer. */
  get isOpen(): boolean {
    return this.#replies.open.length > 0
  }

  /**
   * Asks, and resolves when it is confirmed. Look again at what the confirmation permits: all may have changed since.
   * @param ask sends the question; the answer must carry its id
   * @param within seconds
   * @param signal closes the question
   * @throws RobotError NOT_CONFIRMED if it is declined, not answered in time, or stopped; other reasons of the signal
   */
  async put(ask: (id: string) => void, within: number, signal: AbortSignal): Promise<void> {
    const { token, reply, withdraw } = this.#replies.ask({
      ...{ within: within * 1000, minimumAge: readingTime, signal },
      unanswered: () => motionError('NOT_CONFIRMED', 'robot-not-confirmed', { seconds: within }),
    })
    let answer: 'yes' | 'no'
    try {
      if (!signal.aborted) ask(token)
      answer = await reply
      check(signal)
    } catch (error) {
      withdraw()
      throw signal.aborted ? closedBy(signal.reason) : error
    }
    if (answer === 'no') throw motionError('NOT_CONFIRMED', 'robot-declined')
  }

  /**
   * A person's answer.
   * @param id of the question that it answers
   * @throws INVALID_INPUT if it is no answer to an open question: `cause.reason` is the verdict
   */
  answer(isYes: boolean, id: unknown): void {
    this.#refuse(this.#replies.reply(id, isYes ? 'yes' : 'no'), 'INVALID_INPUT')
  }

  /** For a page, before it sends an answer. @throws REFUSED if an answer with this id would not count now */
  mustTake(id: unknown): void {
    this.#refuse(this.#replies.verdictOn(id), 'REFUSED')
  }

  #refuse(verdict: Verdict, code: 'INVALID_INPUT' | 'REFUSED'): void {
    if (verdict === 'accepted') return
    const key =
      verdict === 'missing' && !this.isOpen ? 'robot-nothing-asked' : (`robot-answer-${verdict}` as const)
    throw nodeError(code, key, {}, { reason: verdict })
  }
}

/** A stop on request is no fault: the motion was only not confirmed. */
export function closedBy(reason: unknown): RobotError {
  const isFault = reason instanceof RobotError && reason.code !== 'STOPPED' && reason.code !== 'ABORTED'
  return isFault ? reason : motionError('NOT_CONFIRMED', 'robot-question-ended')
}

/**
 * Asks from the robot's current pose. If it is moved meanwhile, by 1 mm or 0.2°, the question is closed, and asked again from
 * its new pose. A stop or a lost connection closes the question for good.
 * @param ask puts the question about a motion that begins at this state
 * @returns the answer, and the state in which it was given
 * @throws what `ask` throws; RobotError
 */
export async function askedForPose<Answer>(
  deployed: Pick<DeployedRobot, 'robot' | 'join'>,
  start: RobotState,
  signal: AbortSignal,
  ask: (state: RobotState, signal: AbortSignal) => Promise<Answer>,
): Promise<{ answer: Answer; state: RobotState }> {
  const { robot } = deployed
  const wanted = AbortSignal.any([signal, robot.turn.signal])
  let state = start
  for (;;) {
    const moved = new AbortController()
    const isElsewhere = (now: RobotState) => missedBy(state.flange, now.flange) !== undefined
    const leave = deployed.join({
      linked: () => undefined,
      seen: (now) => {
        if (isElsewhere(now)) moved.abort()
      },
    })
    try {
      const answer = await ask(state, AbortSignal.any([wanted, moved.signal]))
      const now = await robot.read(wanted)
      check(wanted)
      if (!isElsewhere(now)) return { answer, state: now }
    } catch (error) {
      if (!moved.signal.aborted || wanted.aborted) throw error
    } finally {
      leave()
    }
    do state = await robot.read(wanted)
    while (!isAtRest(state))
    state = await robot.ready(wanted)
  }
}

/** How a person is asked. */
export interface PoseQuestion {
  question: Question
  /** Seconds. */
  within: number
  shape: PoseShape
  signal: AbortSignal
  /** Sends the question. `again` says it in the language that is then spoken. */
  tell: (properties: Properties & { payload: object }, told: OutcomeSummary, again: () => string) => void
}

/**
 * Shows the robot's own pose, tool and payload, and waits until a person has compared them with the pendant. Shows them
 * again if the robot is moved meanwhile.
 * @throws RobotError NOT_CONFIRMED, or POSE_CHANGED if the robot has another tool since
 */
export async function confirmPose(
  deployed: DeployedRobot,
  start: RobotState,
  { question, within, shape, signal, tell }: PoseQuestion,
): Promise<void> {
  const { numbers, name } = deployed.settings
  let shown = start
  const inWords = () => {
    const { flange, tcp, tcpOffset, payload } = shown
    return summarize('robot-confirm-pose', {
      name,
      flange: shortPose(numbers, flange),
      tcp: shortPose(numbers, tcp),
      offset: (1000 * Math.hypot(...Object.values(tcpOffset.position))).toFixed(1),
      payload: payload ? `${payload.mass.toFixed(2)} kg` : say('robot-payload-unknown'),
    })
  }
  await askedForPose(deployed, start, signal, async (state, open) => {
    shown = state
    await question.put(
      (request) =>
        tell(
          { payload: { event: 'confirm-pose', request, ...stateInNumbers(state, numbers, shape) } },
          inWords(),
          () => inWords().text,
        ),
      within,
      open,
    )
  })
  await deployed.robot.confirmPose(shown)
}
