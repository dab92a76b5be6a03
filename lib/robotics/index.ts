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
export {
  poseFormat,
  poseFormats,
  type LengthUnit,
  type PoseFormat,
  type PoseFormatId,
  type PoseNumber,
} from './pose-formats'
export {
  angleOf,
  canonical,
  conjugated,
  degrees,
  normalized,
  ofRotationVector,
  radians,
  rotationVectorOf,
} from './quaternion'
export { numbersIn } from './read-numbers'
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
export { isUnit } from './suspicions-of-rotation'
