/**
 * Robots that are read and moved: limits, permission, one motion at a time, stop, supervision; `state.ts` is what the
 * driver of a make implements. In: a driver. Out: state and completed motions. Knows no make.
 */
export type { Drive, DriverEvents, StartPermission as Leave, Pace, RobotDriver, StopWays } from './state'
export { faultOf } from './supervision'
export { checkMotion, isWithin, type MotionLimits, type Range } from './motion'
export type { MotionOptions } from './motion'
export { moverOf } from './robot'
export type { LatchReason, PermitState } from './supervision'
export {
  Robot,
  type OpenDriver,
  type RobotEvents,
  type RobotLinkState,
  type RobotSettings,
  type StopReport,
} from './robot'
export { RobotError, robotErrorCodes, robotErrorsOf, type RobotErrorCode } from './state'
export {
  isAtRest,
  isMoving,
  type ProgramState,
  type RobotMode,
  type RobotState,
  type SafetyState,
} from './state'
