/**
 * The binary robot interface of the device: its messages, codes and job results, and how a connection is served. In and
 * out: bytes. Knows neither Node-RED nor the client.
 */
export { jobStates, robotActionOf, robotActions, type JobState, type RobotAction } from './messages'
export { codeOnTheWire, readAnswer, writeAnswer, type ReceivedAnswer, type RobotAnswer } from './messages'
export { interfaceCodeName, interfaceCodes, type InterfaceCode, type InterfaceCodeName } from './messages'
export { JobResults, type JobOutcome, type PrimaryPose, type ResultPose } from './job-results'
export { fitsMessage } from './messages'
export { answerBytes, headerBytes, OutOfRange, requestBytes } from './messages'
export { readRequest, writeRequest, type Echo, type RobotRequest } from './messages'
export { RequestReader, type ReceivedRequest } from './serve-robot'
export { serveRobot, type AnswersRobots } from './serve-robot'
export {
  confirmedFormats,
  rotationNumbers,
  rotationOf,
  wireFormat,
  type RotationNumbers,
  type WireFormat,
} from './messages'
