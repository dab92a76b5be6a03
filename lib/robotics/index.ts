export { flagsIn, type ArmFlags } from './flags'
export { eulerOf, ofEuler, type Axis, type EulerAngles, type EulerAxes } from './euler'
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
export { customFormat, customPattern, type CustomFormatId } from './custom-format'
export {
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
  angleOf,
  canonical,
  conjugated,
  degrees,
  isUnit,
  normalized,
  ofRotationVector,
  radians,
  rotationVectorOf,
} from './quaternion'
export { numbersIn } from './read-numbers'
export { namedNumbers, poseText } from './write-pose'
export { numbersOfPose, poseOfNumbers, type ConversionOptions } from './robot-numbers'
export {
  homogeneousOf,
  matrixOf,
  poseOfHomogeneous,
  quaternionOf,
  type Homogeneous,
  type RotationMatrix,
} from './rotation-matrix'
export type { Suspicion } from './suspicion'
export { farthestMetres, suspicionsOf, suspicionsOfPose } from './suspicions'
export type { Misfit } from './hand-eye/misfits'
export { solveHandEye, type HandEyeFailure, type HandEyeOptions, type HandEyeResult } from './hand-eye/solve'
export type { HandEyeObservation } from './hand-eye/station'
export { outliers, type Bounds, type Outlier } from './outliers/outliers'
export { setMistake, type SetMistake } from './outliers/set-mistake'
export {
  advisedPoses,
  assess,
  neededPoses,
  type Assessment,
  type AssessOptions,
  type Finding,
} from './spread/assess'
export { distinctPoses, nearDuplicates, type NearDuplicate } from './spread/near-duplicates'
export { nextPose, type NextPose, type NextPoseOptions } from './spread/next-pose'
export { spreadOf, type PrincipalAxis, type Spread } from './spread/spread'
export { isSighting, type Attempt, type Purpose, type Sighting } from './plan/attempt'
export type { Done, Exclusion, Go, Next, PlanProgress, Stuck } from './plan/next'
export { stepsTo } from './plan/path'
export { createPlanner, type Planner } from './plan/planner'
export type { PlanCamera, PlanLimits, PlannerSettings } from './plan/settings'
export type { View } from './plan/views'
