export { jobStates, robotActionOf, robotActions, type JobState, type RobotAction } from './actions'
export { codeOnTheWire, readAnswer, writeAnswer, type ReceivedAnswer, type RobotAnswer } from './answer'
export { interfaceCodeName, interfaceCodes, type InterfaceCode, type InterfaceCodeName } from './error-codes'
export { JobResults, type JobOutcome, type PrimaryPose, type ResultPose } from './job-results'
export { fitsMessage } from './fits-message'
export { answerBytes, headerBytes, OutOfRange, requestBytes } from './layout'
export { readRequest, writeRequest, type Echo, type RobotRequest } from './request'
export { RequestReader, type ReceivedRequest } from './request-reader'
export { serveRobot, type AnswersRobots } from './serve-robot'
export {
  confirmedFormats,
  rotationNumbers,
  rotationOf,
  wireFormat,
  type RotationNumbers,
  type WireFormat,
} from './wire-format'
