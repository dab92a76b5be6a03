import { product, type Pose } from '../../lib/robotics/pose'
import { ofRotationVector } from '../../lib/robotics/quaternion'
import { sum } from './vectors'

/** Radians of error per metre of error: an uncertainty of 1 mm corresponds to one of 0.3 degrees. */
const angular = 5

/** The random error of a measurement: about 0, with that standard deviation, and never more than three of them. */
export const deviation = (random: () => number, sigma: number): number =>
  // Four uniform draws have a standard deviation of 1/sqrt(3) and deviate by at most 2 from their mean.
  Math.max(-3, Math.min(3, (random() + random() + random() + random() - 2) * Math.sqrt(3))) * sigma

/** The pose as measured by a detection. @param sigma standard deviation of the position, metres */
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
