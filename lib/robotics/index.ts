/**
 * Poses, pose formats of robot makers, hand-eye calibration, outliers, plans: pure functions. In and out: numbers, in
 * metres and radians unless named otherwise. Imports nothing.
 */
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
} from './pose'
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
export {
  namedNumbers,
  numbersIn,
  numbersOfPose,
  poseOfNumbers,
  poseText,
  type ConversionOptions,
} from './pose-numbers'
export { type Suspicion, farthestMetres, suspicionsOf, suspicionsOfPose } from './suspicions'
export {
  type Misfit,
  solveHandEye,
  type HandEyeFailure,
  type HandEyeOptions,
  type HandEyeResult,
} from './hand-eye/solve'
export type { HandEyeObservation } from './hand-eye/station'
export {
  outliers,
  setMisfit,
  setMistake,
  type Bounds,
  type Outlier,
  type SetMistake,
} from './outliers/mistakes'
export {
  advisedPoses,
  assess,
  neededPoses,
  type Assessment,
  type AssessOptions,
  type Finding,
  distinctPoses,
  nearDuplicates,
  type NearDuplicate,
  spreadOf,
  type PrincipalAxis,
  type Spread,
  nextPose,
  type NextPose,
  type NextPoseOptions,
} from './spread'
export {
  isSighting,
  type Attempt,
  type Purpose,
  type Sighting,
  type PlanCamera,
  type PlanLimits,
  type PlannerSettings,
} from './plan/views'
export {
  createPlanner,
  type Done,
  type Exclusion,
  type Go,
  type Next,
  type Planner,
  type PlanProgress,
  type Stuck,
} from './plan/planner'
export { stepsTo } from './plan/usable'
export type { View } from './plan/views'
