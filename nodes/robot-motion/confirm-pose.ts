import type { RobotState } from '../../lib/robot-motion'
import type { OutcomeSummary, Properties } from '../shared/outcome'
import { shortPose, type PoseShape } from '../shared/poses/shaped-pose'
import type { DeployedRobot } from './deployed-robot'
import type { Question } from './question'
import { say, told } from './sentences'
import { stateInNumbers } from './state-in-words'

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
 * Shows the robot's own pose, tool and payload, and waits until a person has compared them with the pendant.
 * @throws RobotError NOT_CONFIRMED, or POSE_CHANGED if the robot has moved since
 */
export async function confirmPose(
  { robot, settings }: DeployedRobot,
  state: RobotState,
  { question, within, shape, signal, tell }: PoseQuestion,
): Promise<void> {
  const { numbers, name } = settings
  const values = () => ({
    name,
    flange: shortPose(numbers, state.flange),
    tcp: shortPose(numbers, state.tcp),
    offset: (1000 * Math.hypot(...Object.values(state.tcpOffset.position))).toFixed(1),
    payload: state.payload ? `${state.payload.mass.toFixed(2)} kg` : say('robot-payload-unknown'),
  })
  const inWords = () => told('robot-confirm-pose', values())
  await question.put(
    (request) =>
      tell(
        { payload: { event: 'confirm-pose', request, ...stateInNumbers(state, numbers, shape) } },
        inWords(),
        () => inWords().text,
      ),
    within,
    signal,
  )
  await robot.confirmPose(state)
}
