import type { NodeMessage } from 'node-red'
import { robotErrorsOf, type RobotError, type RobotErrorCode } from '../../lib/robot-motion/robot-error'
import { catalogOf, type SentenceOf } from '../sentences'
import { isCommanded } from '../shared/permission'

const failed = robotErrorsOf(catalogOf('robot-motion'))

/** An error of the nodes with a code of the robot's. */
export const motionError = (
  code: RobotErrorCode,
  key: SentenceOf<'robot-motion'>,
  values: Record<string, unknown> = {},
): RobotError => failed({ code, key, values })

/**
 * Refuses what comes from a command of a centre: nobody who sends it sees the robot.
 * @throws RobotError FROM_COMMAND
 */
export function mustBeLocal(msg: NodeMessage): void {
  if (isCommanded(msg)) throw motionError('FROM_COMMAND', 'robot-from-command')
}
