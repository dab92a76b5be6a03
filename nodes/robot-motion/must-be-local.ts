import type { NodeMessage } from 'node-red'
import { isCommanded } from '../shared/permission'
import { motionError } from './sentences'

/**
 * Refuses what comes from a command of a centre: nobody who sends it sees the robot.
 * @throws RobotError FROM_COMMAND
 */
export function mustBeLocal(msg: NodeMessage): void {
  if (isCommanded(msg)) throw motionError('FROM_COMMAND', 'robot-from-command')
}
