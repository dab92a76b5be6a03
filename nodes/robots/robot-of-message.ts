import type { Pose } from '../../lib/robotics'

/** The property of a message that says which request it answers. */
export interface RobotOfMessage {
  /** Id of the configuration node. */
  node: string
  token: string
  /** Of the robot. */
  address: string
  /** Where the robot was when it asked, as services of the device expect it; missing where it did not say. */
  pose?: Pose
}

/** The request that a message answers; undefined where it carries none. */
export function robotOf(
  message: unknown,
): (Partial<RobotOfMessage> & { node: string; token: string }) | undefined {
  const { robot } = Object(message) as { robot?: unknown }
  const { node, token, pose } = Object(robot) as Partial<RobotOfMessage>
  if (typeof node !== 'string' || typeof token !== 'string') return undefined
  return { node, token, ...(pose !== undefined && { pose }) }
}
