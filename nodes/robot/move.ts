import type { RobotState } from '../../lib/robot-motion'
import { differenceOf } from '../../lib/calibration/procedure'
import type { Pose } from '../../lib/robotics'
import type { DeployedRobot } from '../robot-motion/deployed-robot'
import { confirmPose } from '../robot-motion/confirm-pose'
import type { MessageWork } from '../shared/handle-input'
import { NodeAnswer } from '../shared/outcome'
import { shapedPose, shortPose, type PoseShape } from '../shared/poses'
import type { StatusWord } from '../shared/status'
import type { HeldEnable } from './held-enable'
import { askedWhereItStands, type Question } from '../robot-motion/question'
import { stateInNumbers } from '../robot-motion/state-in-words'
import { sentencesOf } from '../sentences'

const { told } = sentencesOf('robot-motion')

/** How a node moves. */
export interface Moving {
  deployed: DeployedRobot
  confirm: 'each' | 'message' | 'held' | 'none'
  /** Seconds. */
  confirmWithin: number
  /** Metres per second; undefined is the limit. */
  speed: number | undefined
  shape: PoseShape
  question: Question
  enable: HeldEnable
  /** Aborted by each stop of the robot, whatever its reason. */
  signal: AbortSignal
  tell: MessageWork['tell']
  progress: (word: StatusWord, count?: number) => void
}

/** Moves along the poses, after a person has said that it may. @throws RobotError saying why it ended */
export async function move(poses: readonly Pose[], moving: Moving): Promise<NodeAnswer> {
  const { deployed, confirm, signal, shape } = moving
  const { robot } = deployed
  const { numbers } = deployed.settings
  const paced = moving.speed === undefined ? {} : { speed: moving.speed }

  let state = await robot.ready(signal)
  robot.check(state, poses, paced)
  if (robot.permit.is === 'unconfirmed') {
    moving.progress('confirmPose')
    const { question, confirmWithin: within, tell } = moving
    await confirmPose(deployed, state, {
      ...{ question, within, shape, signal },
      tell: (properties, asked) => tell(1, properties, asked),
    })
    state = await robot.ready(signal)
  }
  const parts = confirm === 'each' ? poses.map((pose) => [pose]) : [poses]
  let number = 0
  for (const part of parts) {
    await permitted(state, part, number + 1, moving)
    const before = number
    state = await robot.moveAlong(part, {
      ...paced,
      signal,
      ...(confirm === 'held' && { enabled: () => moving.enable.isHeld }),
      onStep: (step, is, at) => {
        number = before + step
        if (is === 'begun') moving.progress('robotMoving', number)
        moving.tell(
          1,
          { payload: { event: is, number, of: poses.length, flange: shapedPose(numbers, at.flange, shape) } },
          told(`robot-${is}`, { number, count: poses.length }, { value: number }),
        )
      },
    })
  }
  return new NodeAnswer(
    { payload: stateInNumbers(state, numbers, shape) },
    told(
      'robot-arrived',
      { count: poses.length, pose: shortPose(numbers, state.flange) },
      { value: poses.length },
    ),
  )
}

/** Waits for what a motion needs to begin; asks again if the robot is moved meanwhile. */
async function permitted(
  start: RobotState,
  poses: readonly Pose[],
  number: number,
  { deployed, confirm, question, enable, confirmWithin, signal, shape, tell, speed, progress }: Moving,
): Promise<void> {
  if (confirm === 'none') return
  const { numbers, limits } = deployed.settings
  const pace = Math.round(1000 * (speed ?? limits.speed))
  await askedWhereItStands(deployed, start, signal, async (state, open) => {
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
      tell(1, { payload: { event: 'hold-enable', ...shown } }, told('robot-hold-enable', values))
      return enable.held(confirmWithin, open)
    }
    progress('confirmMotion')
    return question.put(
      (request) =>
        tell(
          1,
          { payload: { event: 'confirm-motion', request, ...shown } },
          told(poses.length > 1 ? 'robot-confirm-motions' : 'robot-confirm-motion', values),
        ),
      confirmWithin,
      open,
    )
  })
}
