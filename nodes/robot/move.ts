import { differenceOf } from '../../lib/calibration/procedure'
import type { RobotState } from '../../lib/robot-motion'
import type { Pose } from '../../lib/robotics'
import { sleep } from '../../lib/kernel/timers'
import {
  confirmPose,
  motionError,
  askFromPose,
  closedBy,
  type Question,
  readingTime,
} from '../robot-motion/question'
import { type DeployedRobot, type MotionSettings, stateInNumbers } from '../robot-motion/deployed-robot'
import { sentencesOf } from '../sentences'
import type { MessageWork } from '../shared/handle-input'
import { NodeAnswer } from '../shared/outcome'
import { type PoseShape, posesIn, readPossiblePose, shapedPose, shortPose } from '../shared/poses'
import type { StatusWord } from '../shared/status'

/** Milliseconds between checks of a released button. */
const pollInterval = 20

/** An enable signal that must be repeated, as from a held button. */
export class HeldEnable {
  readonly #heldFor: () => number
  #last = Number.NEGATIVE_INFINITY

  /** @param heldFor longest pause between messages, ms */
  constructor(heldFor: () => number) {
    this.#heldFor = heldFor
  }

  get isHeld(): boolean {
    return performance.now() - this.#last < this.#heldFor()
  }

  came(): void {
    this.#last = performance.now()
  }

  release(): void {
    this.#last = Number.NEGATIVE_INFINITY
  }

  /**
   * A button held since before the question, or pressed before it could be read, must first be released.
   * @param within seconds
   * @throws RobotError NOT_CONFIRMED if it is not pressed in time
   */
  async held(within: number, signal: AbortSignal): Promise<void> {
    const askedAt = performance.now()
    let wasReleased = false
    for (;;) {
      if (!this.isHeld) wasReleased = true
      else if (wasReleased && this.#last >= askedAt + readingTime) return
      if (performance.now() > askedAt + within * 1000)
        throw motionError('NOT_CONFIRMED', 'robot-not-held', { seconds: within })
      try {
        await sleep(pollInterval, signal)
      } catch {
        throw closedBy(signal.reason)
      }
    }
  }
}

const { invalidInput, summarize } = sentencesOf('robot-motion')

const most = 1000

/** Flange poses of a message: one, several, or `home`. @throws INVALID_INPUT */
export function targetsIn(value: unknown, { numbers, home, name }: MotionSettings): Pose[] {
  if (typeof value === 'string' && value.trim().toLowerCase() === 'home') {
    if (!home) throw invalidInput('robot-no-home', { name })
    return [home]
  }
  const list = posesIn(numbers, value) ?? [value]
  if (list.length > most) throw invalidInput('robot-too-many', { count: list.length, limit: most })
  return list.map((each) => readPossiblePose(numbers, each).pose)
}

interface Moving {
  deployed: DeployedRobot
  confirm: 'each' | 'message' | 'held' | 'none'
  /** Seconds. */
  confirmWithin: number
  /** Metres per second; undefined: the limit. */
  speed: number | undefined
  shape: PoseShape
  question: Question
  enable: HeldEnable
  /** On any stop of the robot. */
  signal: AbortSignal
  notify: MessageWork['notify']
  progress: (word: StatusWord, count?: number) => void
}

/** Asks for permission first. @throws RobotError saying why it ended */
export async function move(poses: readonly Pose[], moving: Moving): Promise<NodeAnswer> {
  const { deployed, confirm, signal, shape } = moving
  const { robot } = deployed
  const { numbers } = deployed.settings
  const paced = moving.speed === undefined ? {} : { speed: moving.speed }

  let state = await robot.ready(signal)
  robot.check(state, poses, paced)
  if (robot.permit.is === 'unconfirmed') {
    moving.progress('confirmPose')
    const { question, confirmWithin: within, notify } = moving
    await confirmPose(deployed, state, {
      ...{ question, within, shape, signal },
      send: (properties, asked) => notify(1, properties, asked),
    })
    state = await robot.ready(signal)
  }
  const parts = confirm === 'each' ? poses.map((pose) => [pose]) : [poses]
  let number = 0
  for (const part of parts) {
    await waitForPermission(state, part, number + 1, moving)
    const before = number
    state = await robot.moveAlong(part, {
      ...paced,
      signal,
      ...(confirm === 'held' && { enabled: () => moving.enable.isHeld }),
      onStep: (step, is, at) => {
        number = before + step
        if (is === 'begun') moving.progress('robotMoving', number)
        moving.notify(
          1,
          { payload: { event: is, number, of: poses.length, flange: shapedPose(numbers, at.flange, shape) } },
          summarize(`robot-${is}`, { number, count: poses.length }, { value: number }),
        )
      },
    })
  }
  return new NodeAnswer(
    { payload: stateInNumbers(state, numbers, shape) },
    summarize(
      'robot-arrived',
      { count: poses.length, pose: shortPose(numbers, state.flange) },
      { value: poses.length },
    ),
  )
}

/** Asks again if the robot is moved meanwhile. */
async function waitForPermission(
  start: RobotState,
  poses: readonly Pose[],
  number: number,
  { deployed, confirm, question, enable, confirmWithin, signal, shape, notify, speed, progress }: Moving,
): Promise<void> {
  if (confirm === 'none') return
  const { numbers, limits } = deployed.settings
  const pace = Math.round(1000 * (speed ?? limits.speed))
  await askFromPose(deployed, start, signal, async (state, open) => {
    if (state !== start) deployed.robot.check(state, poses)
    const lengths = poses.map((pose, index) => differenceOf(poses[index - 1] ?? state.flange, pose))
    const millimetres = Math.round(1000 * lengths.reduce((sum, { metres }) => sum + metres, 0))
    const degrees = Math.round(lengths.reduce((sum, each) => sum + each.degrees, 0))
    const about = { number, millimetres, degrees, speed: pace }
    const [first] = poses
    const values = { ...about, count: poses.length, pose: first ? shortPose(numbers, first) : '' }
    const shown = { ...about, poses: poses.map((pose) => shapedPose(numbers, pose, shape)) }
    if (confirm === 'held') {
      progress('waitsForEnable')
      notify(1, { payload: { event: 'hold-enable', ...shown } }, summarize('robot-hold-enable', values))
      return enable.held(confirmWithin, open)
    }
    progress('confirmMotion')
    return question.put(
      (request) =>
        notify(
          1,
          { payload: { event: 'confirm-motion', request, ...shown } },
          summarize(poses.length > 1 ? 'robot-confirm-motions' : 'robot-confirm-motion', values),
        ),
      confirmWithin,
      open,
    )
  })
}
