import type { DeployedRobot } from '../robot-motion/deployed-robot'
import { NodeAnswer } from '../shared/outcome'
import { motionError } from '../robot-motion/must-be-local'
import { sentencesOf } from '../sentences'

const { told } = sentencesOf('robot-motion')

/** Stops the robot by two ways. @throws RobotError STOP_UNCONFIRMED if it was not seen to stand */
export async function stop({ robot }: DeployedRobot): Promise<NodeAnswer> {
  const { ways, confirmed, sentAfter, stoodAfter } = await robot.stop()
  if (!confirmed)
    throw motionError(
      'STOP_UNCONFIRMED',
      ways.enable || ways.command ? 'robot-stop-unseen' : 'robot-stop-unsent',
    )
  const report = { confirmed, sentAfter, stoodAfter, enable: ways.enable, command: ways.command }
  return new NodeAnswer(
    { payload: report },
    told('robot-stands', { milliseconds: stoodAfter ?? 0 }, { value: stoodAfter ?? 0 }),
  )
}
