export { universalRobot } from './universal-robot'
export type { UniversalRobotOptions } from './universal-robot'
