import type { Vector } from '../../robotics'

/** What keeps poses that are chosen without seeing the grid within bounds. Metres and degrees; positions in the base. */
export interface AnswerLimits {
  /** Largest tilt from the taught pose. @default 30 */
  tilt: number
  /** Largest rotation about the line of sight. @default 45 */
  roll: number
  /** For the hand and for a camera on it, once the device has said where that is. @default none */
  box?: { least: Vector; most: Vector }
  /** Least height of the same points. @default none */
  floor?: number
  /** Greatest distance of the hand from the robot's base. @default none */
  reach?: number
  /** Largest step: a longer way is split. @default 0.3 m and 40° */
  step: { metres: number; degrees: number }
}

/** What {@link startCalibrationByAnswers} must know. */
export interface AnswerSettings {
  /** True: the camera is on the robot's hand. False: it is fixed, and the grid is on the hand. */
  robotMounted: boolean
  /** From the camera to the grid at the taught pose, as a person measures it, metres. */
  distance: number
  limits?: Partial<AnswerLimits>
  /** It ends when the device states standard deviations within these. @default 1 mm and 0.1° */
  wanted?: { metres: number; degrees: number }
  /** Fewest poses at which the grid must be seen before the device's judgement counts. @default 6 */
  fewest?: number
  /** Most of them: the slots of the device. @default 16 */
  most?: number
}
