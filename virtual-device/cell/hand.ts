import type { Pose } from '../../lib/robotics/pose'

/** The simulated robot arm that carries camera or grid. */
export interface Hand {
  /** The flange at present, in the base of the arm. */
  flange: () => Pose
  /** Where it was at a moment of the device's clock, seconds. */
  flangeAt: (seconds: number) => Pose
  /** Where it was when the device started: grid or camera stands in front of it. */
  start: Pose
  /** The frames of its links in its base, from the first joint to the flange. */
  links: () => Pose[]
  /** All that is true about the arm, for tests and lessons. */
  truth: () => object
}
