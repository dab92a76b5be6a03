import { product, type Pose } from '../../lib/robotics/pose'
import { ofRotationVector, radians } from '../../lib/robotics/quaternion'
import { deviation } from '../detection/measured'

/**
 * The pose with random noise.
 * @param move standard deviation of each coordinate, metres
 * @param turn standard deviation of the rotation about each axis, degrees
 */
export const disturbed = (
  { position: { x, y, z }, orientation }: Pose,
  random: () => number,
  move: number | { across: number; along: number },
  turn: number,
): Pose => {
  const { across, along } = typeof move === 'number' ? { across: move, along: move } : move
  const angle = () => deviation(random, radians(turn))
  return {
    position: {
      x: x + deviation(random, across),
      y: y + deviation(random, across),
      z: z + deviation(random, along),
    },
    orientation: product(ofRotationVector({ x: angle(), y: angle(), z: angle() }), orientation),
  }
}
