import type { RobotState } from '../../lib/robot-motion'
import type { OutcomeSummary, Properties } from '../shared/outcome'
import { shortPose, type PoseShape } from '../shared/poses'
import type { DeployedRobot } from './deployed-robot'
import { askedWhereItStands, type Question } from './question'
import { stateInNumbers } from './state-in-words'
import { sentencesOf } from '../sentences'

const { say, told } = sentencesOf('robot-motion')

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
    return told('robot-confirm-pose', {
      name,
      flange: shortPose(numbers, flange),
      tcp: shortPose(numbers, tcp),
      offset: (1000 * Math.hypot(...Object.values(tcpOffset.position))).toFixed(1),
      payload: payload ? `${payload.mass.toFixed(2)} kg` : say('robot-payload-unknown'),
    })
  }
  await askedWhereItStands(deployed, start, signal, async (state, open) => {
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
