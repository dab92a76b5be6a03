export {
  flagsIn,
  type ArmFlags,
  customFormat,
  customPattern,
  type CustomFormatId,
  knownPoseFormat,
  poseFormat,
  poseFormatIds,
  poseFormats,
  type LengthUnit,
  type PoseFormat,
  type PoseFormatId,
  type PoseFormatName,
  type PoseNumber,
} from './pose-formats'
export {
  eulerOf,
  ofEuler,
  type Axis,
  type EulerAngles,
  type EulerAxes,
  angleOf,
  canonical,
  conjugated,
  degrees,
  isUnit,
  normalized,
  ofRotationVector,
  radians,
  rotationVectorOf,
  homogeneousOf,
  matrixOf,
  poseOfHomogeneous,
  quaternionOf,
  type Homogeneous,
  type RotationMatrix,
} from './rotation'
export {
  composed,
  distance,
  identity,
  inverted,
  lengthOf,
  product,
  rotated,
  type Pose,
  type Quaternion,
  type Vector,
} from './pose'
export { numbersIn, numbersOfPose, poseOfNumbers, type ConversionOptions } from './read-pose'
export { namedNumbers, poseText } from './write-pose'
export { type Suspicion, farthestMetres, suspicionsOf, suspicionsOfPose } from './suspicions'
export {
  type Misfit,
  solveHandEye,
  type HandEyeFailure,
  type HandEyeOptions,
  type HandEyeResult,
} from './hand-eye/solve'
export type { HandEyeObservation } from './hand-eye/station'
export { outliers, type Bounds, type Outlier } from './outliers/suspects'
export { setMistake, type SetMistake } from './outliers/set-mistake'
export {
  advisedPoses,
  assess,
  neededPoses,
  type Assessment,
  type AssessOptions,
  type Finding,
} from './spread/assess'
export {
  distinctPoses,
  nearDuplicates,
  type NearDuplicate,
  spreadOf,
  type PrincipalAxis,
  type Spread,
} from './spread/spread'
export { nextPose, type NextPose, type NextPoseOptions } from './spread/next-pose'
export {
  isSighting,
  type Attempt,
  type Purpose,
  type Sighting,
  type PlanCamera,
  type PlanLimits,
  type PlannerSettings,
} from './plan/settings'
export type { Done, Exclusion, Go, Next, PlanProgress, Stuck } from './plan/next'
export { stepsTo } from './plan/usable'
export { createPlanner, type Planner } from './plan/planner'
export type { View } from './plan/views'
