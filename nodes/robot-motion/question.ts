/** Questions for an operator on site, and the confirmation of the robot's pose. */
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

export const motionError = (
  code: RobotErrorCode,
  key: SentenceOf<'robot-motion'>,
  values: Record<string, unknown> = {},
): RobotError => failed({ code, key, values })

/** The sender of a fleet command does not see the robot. @throws RobotError FROM_COMMAND */
export function mustBeLocal(msg: NodeMessage): void {
  if (isCommanded(msg)) throw motionError('FROM_COMMAND', 'robot-from-command')
}

/** Milliseconds needed to read a question: earlier answers were meant for something else. */
export const readingTime = 700

/** Answered once, with its id, and not before it can have been read. */
export class Question {
  readonly #replies = new Replies<'yes' | 'no'>()

  get isOpen(): boolean {
    return this.#replies.open.length > 0
  }

  /**
   * Resolves when confirmed. Check again what the confirmation permits: everything may have changed since.
   * @param ask sends the question with its id
   * @param within seconds
   * @param signal closes the question
   * @throws RobotError NOT_CONFIRMED if declined, too late, or stopped; other reasons of the signal
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

  /** @param id of the question @throws INVALID_INPUT unless it answers an open question: `cause.reason` is the verdict */
  answer(isYes: boolean, id: unknown): void {
    this.#refuse(this.#replies.reply(id, isYes ? 'yes' : 'no'), 'INVALID_INPUT')
  }

  /** Before a page sends an answer. @throws REFUSED if the answer would not count now */
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

/** A requested stop is no fault; the motion was only not confirmed. */
export function closedBy(reason: unknown): RobotError {
  const isFault = reason instanceof RobotError && reason.code !== 'STOPPED' && reason.code !== 'ABORTED'
  return isFault ? reason : motionError('NOT_CONFIRMED', 'robot-question-ended')
}

/**
 * Asks about a motion from the current pose, and again if the robot is moved by 1 mm or 0.2°. A stop or a lost connection
 * closes the question.
 * @returns the answer, and the state in which it was given
 * @throws errors of `ask`; RobotError
 */
export async function askFromPose<Answer>(
  deployed: Pick<DeployedRobot, 'robot' | 'join'>,
  start: RobotState,
  signal: AbortSignal,
  ask: (state: RobotState, signal: AbortSignal) => Promise<Answer>,
): Promise<{ answer: Answer; state: RobotState }> {
  const { robot } = deployed
  const ended = AbortSignal.any([signal, robot.turn.signal])
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
      const answer = await ask(state, AbortSignal.any([ended, moved.signal]))
      const now = await robot.read(ended)
      check(ended)
      if (!isElsewhere(now)) return { answer, state: now }
    } catch (error) {
      if (!moved.signal.aborted || ended.aborted) throw error
    } finally {
      leave()
    }
    do state = await robot.read(ended)
    while (!isAtRest(state))
    state = await robot.ready(ended)
  }
}

export interface PoseQuestion {
  question: Question
  /** Seconds. */
  within: number
  shape: PoseShape
  signal: AbortSignal
  /** `again` renders the question in the current language. */
  send: (properties: Properties & { payload: object }, summary: OutcomeSummary, again: () => string) => void
}

/**
 * Shows pose, tool and payload until the operator has compared them with the pendant; again if the robot is moved.
 * @throws RobotError NOT_CONFIRMED, or POSE_CHANGED after a change of tool
 */
export async function confirmPose(
  deployed: DeployedRobot,
  start: RobotState,
  { question, within, shape, signal, send }: PoseQuestion,
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
  await askFromPose(deployed, start, signal, async (state, open) => {
    shown = state
    await question.put(
      (request) =>
        send(
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
