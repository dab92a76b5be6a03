import type { Pose } from '../pose'

/**
 * Why the robot goes to a pose: `taught`, the first one; `shift` and `turn`, small first moves that show where the camera
 * is; `view`, a pose of the plan; `again`, back to where the grid was seen, to see whether it is still there.
 */
export type Purpose = 'taught' | 'shift' | 'turn' | 'view' | 'again'

/** A pose at which the camera looked, in the order of looking. */
export interface Attempt {
  purpose: Purpose
  /** The hand as the robot reports it where it stands. Metres. */
  robot: Pose
  /** The centre of the grid in the camera's frame; undefined if the camera did not see it. */
  grid?: Pose
  /** The robot did not go there, because a person left the pose out. It counts as one at which the grid is not seen. */
  skipped?: true
  /** Nobody has looked yet: the grid is where it is expected, for a forecast of the plan. */
  assumed?: true
}

/** An attempt at which the grid was seen. */
export type Sighting = Attempt & { grid: Pose }

/** Whether the grid was seen at an attempt. */
export const isSighting = (attempt: Attempt): attempt is Sighting => attempt.grid !== undefined
