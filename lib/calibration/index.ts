/**
 * Hand-eye calibration in which the robot drives itself: plan, move, record, calibrate, check. In: a robot, a camera
 * and an operator's answers, as interfaces. Out: steps, questions, and the result. Knows neither Node-RED nor a robot
 * make.
 */
export {
  startCalibrationByAnswers,
  type AnsweredLook,
  type AnswerGo,
  type AnsweringDevice,
  type AnswerLimits,
  type AnswerParts,
  type AnswerProgress,
  type AnswerSettings,
  type AnswerStuck,
  type DeviceVerdict,
  type Judged,
} from './by-answers'
export {
  cameraMovement,
  mistakeInPoses,
  type CalibratedPoses,
  type CameraMovement,
  type PosesMistake,
} from './checks'
export {
  attemptsToKeep,
  imageSource,
  largestTag,
  readAttempts,
  startCalibration,
  tagSource,
  type CalibrationEnd,
  type CalibrationRun,
  type DetectedTag,
  type ImageSourceOptions,
  type TagSourceOptions,
} from './planned-calibration'
export {
  Control,
  differenceOf,
  missedBy,
  type BrokenOff,
  type CalibrationJournal,
  type CalibrationParts,
  type Confirmation,
  type GridSource,
  type Journal,
  type Mover,
  type PoseDifference,
  type ProcedureRun,
  type Standing,
} from './procedure'
