export { universalRobot } from './open'
export type { UniversalRobotOptions } from './universal-robot'
