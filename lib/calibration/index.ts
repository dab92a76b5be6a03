export {
  startCalibrationByAnswers,
  type AnswerParts,
  type AnsweringDevice,
} from './by-answers/calibrate-by-answers'
export type {
  AnsweredLook,
  AnswerGo,
  AnswerProgress,
  AnswerStuck,
  DeviceVerdict,
  Judged,
} from './by-answers/next-answer'
export type { AnswerLimits, AnswerSettings } from './by-answers/settings'
export { startCalibration, type CalibrationEnd, type CalibrationRun } from './calibrate'
export { mistakeInPoses, type PosesMistake } from './mistake-in-poses'
export { differenceOf, missedBy, type PoseDifference } from './misses'
export { cameraMovement, type CalibratedPoses, type CameraMovement } from './moved'
export type {
  CalibrationJournal,
  CalibrationParts,
  Confirmation,
  GridSource,
  Journal,
  Mover,
  Standing,
} from './parts'
export { Control } from './procedure/control'
export type { BrokenOff, ProcedureRun } from './procedure/procedure'
export { readAttempts } from './read-attempts'
export { attemptsToKeep } from './slots'
export { imageSource, type ImageSourceOptions } from './sources/from-images'
export { largestTag, tagSource, type DetectedTag, type TagSourceOptions } from './sources/from-tags'
