import type { Pose } from '../../lib/robotics'
import type { CycleOfMessage } from '../plc/token'

/** The property of a message that says which request it answers. */
export interface RobotOfMessage extends CycleOfMessage {
  /** Of the robot. */
  address: string
  /** Where the robot was when it asked, as services of the device expect it; missing where it did not say. */
  pose?: Pose
}
