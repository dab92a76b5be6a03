import { product, type Pose } from '../../lib/robotics/pose'
import { ofRotationVector } from '../../lib/robotics/quaternion'
import { sum } from './vectors'

/** A radian of error for each metre of it: what is uncertain by 1 mm is uncertain by 0.3 degrees. */
const angular = 5

/** A value as a measurement gives it: about 0, with that standard deviation, and never farther away than three of them. */
export const deviation = (random: () => number, sigma: number): number =>
  // Four even draws have a standard deviation of 1/sqrt(3) and add up to 2 at most from their mean.
  Math.max(-3, Math.min(3, (random() + random() + random() + random() - 2) * Math.sqrt(3))) * sigma

/** The pose as a detection measures it. @param sigma of the position, metres */
export function measured({ position, orientation }: Pose, random: () => number, sigma: number): Pose {
  const error = (scale: number) => ({
    x: deviation(random, sigma * scale),
    y: deviation(random, sigma * scale),
    z: deviation(random, sigma * scale),
  })
  return {
    position: sum(position, error(1)),
    orientation: product(ofRotationVector(error(angular)), orientation),
  }
}
