import { composed, inverted, product, type Pose } from '../pose'
import { conjugated, ofRotationVector, rotationVectorOf } from '../quaternion'
import { matrixOf } from '../rotation-matrix'

/** The observation at one pose of the robot. Metres. */
export interface HandEyeObservation {
  /** The robot's hand (flange or tool, always the same one) in the external frame, as reported by the robot. */
  robot: Pose
  /** The calibration grid in the camera's frame, as the camera detected it. */
  grid: Pose
}

/**
 * Both mountings as one equation, `arm · camera · seen = grid`: with the camera on the robot, arm is the hand in the
 * external frame; with the camera fixed, it is the external frame in the hand.
 */
export interface Station {
  arm: Pose
  back: Pose
  seen: Pose
}

/** The two unknowns: the camera on the hand and the grid in the external frame, or the other way round. */
export interface Unknowns {
  camera: Pose
  grid: Pose
}

/** Small changes of the unknowns: rotation and translation of the camera, rotation and translation of the grid. */
export const unknownCount = 12
/** Rotation first, then translation, in the camera's frame. */
export const residualCount = 6

export function station({ robot, grid }: HandEyeObservation, robotMounted: boolean): Station {
  const back = inverted(robot)
  return robotMounted ? { arm: robot, back, seen: grid } : { arm: back, back: robot, seen: grid }
}

export interface Residual {
  /** Observed minus expected: rotation vector (radians), then metres, in the camera's frame. */
  error: number[]
  /** Six rows of twelve: the derivative of the error with respect to the unknowns. */
  jacobian: number[][]
  /** From the robot's hand to the grid, metres, in the camera's frame: the lever of the robot's rotation error. */
  lever: [number, number, number]
}

/** The difference between the expected and the observed pose of the grid. */
export function residual(
  { back, seen }: Station,
  { camera, grid }: Unknowns,
  robotMounted: boolean,
): Residual {
  const cameraBack = inverted(camera)
  const toCamera = composed(cameraBack, back)
  const expected = composed(toCamera, grid)
  const turn = rotationVectorOf(product(seen.orientation, conjugated(expected.orientation)))
  const { x, y, z } = expected.position
  const hand = robotMounted ? cameraBack.position : toCamera.position
  const [a, b] = [matrixOf(expected.orientation), matrixOf(cameraBack.orientation)]
  const c = matrixOf(toCamera.orientation)
  return {
    error: [turn.x, turn.y, turn.z, seen.position.x - x, seen.position.y - y, seen.position.z - z],
    jacobian: [
      [1, -turn.z / 2, turn.y / 2, 0, 0, 0, -a[0], -a[1], -a[2], 0, 0, 0],
      [turn.z / 2, 1, -turn.x / 2, 0, 0, 0, -a[3], -a[4], -a[5], 0, 0, 0],
      [-turn.y / 2, turn.x / 2, 1, 0, 0, 0, -a[6], -a[7], -a[8], 0, 0, 0],
      [0, z, -y, b[0], b[1], b[2], 0, 0, 0, -c[0], -c[1], -c[2]],
      [-z, 0, x, b[3], b[4], b[5], 0, 0, 0, -c[3], -c[4], -c[5]],
      [y, -x, 0, b[6], b[7], b[8], 0, 0, 0, -c[6], -c[7], -c[8]],
    ],
    lever: [x - hand.x, y - hand.y, z - hand.z],
  }
}

/** @param step changes of the unknowns: radians and metres, as listed at {@link unknownCount} */
export const stepped = ({ camera, grid }: Unknowns, step: readonly number[]): Unknowns => ({
  camera: moved(camera, step.slice(0, 6)),
  grid: moved(grid, step.slice(6, 12)),
})

function moved(
  { position, orientation }: Pose,
  [a = 0, b = 0, c = 0, x = 0, y = 0, z = 0]: readonly number[],
): Pose {
  return {
    position: { x: position.x + x, y: position.y + y, z: position.z + z },
    orientation: product(orientation, ofRotationVector({ x: a, y: b, z: c })),
  }
}
