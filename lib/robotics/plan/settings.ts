import type { Axis } from '../euler'
import type { Vector } from '../pose'

/** The camera's picture. Pixels. */
export interface PlanCamera {
  width: number
  height: number
  /** Pixels, as the camera's calibration gives it. */
  focalLength: number
  /** Where the optical axis meets the picture. @default the middle */
  centre?: { x: number; y: number }
}

/** What the plan keeps within. Metres and degrees; positions in the robot's base. */
export interface PlanLimits {
  /** Largest angle between the line of sight and the grid's normal. @default 40 */
  tilt: number
  /** Largest rotation about the line of sight from the taught pose: cables, and grids without a marked corner. @default 65 */
  roll: number
  /** Largest rotation of the hand from the taught pose. @default 100 */
  cone: number
  /** From the camera to the grid's centre. @default 0.6 and 1.3 times that of the taught pose */
  nearest?: number
  farthest?: number
  /** For the hand, and for the camera or grid that it carries. @default none */
  box?: { least: Vector; most: Vector }
  /** Least height of the same points. @default none */
  floor?: number
  /** Greatest distance of the hand from the robot's base. @default none */
  reach?: number
  /** Largest step: a longer way is split. @default 0.3 m and 40° */
  step: { metres: number; degrees: number }
  /** Of the picture's width, kept free around the grid. @default 0.04 */
  margin: number
}

/** What {@link createPlanner} must know. */
export interface PlannerSettings {
  /** True: the camera is on the robot's hand. False: it is fixed, and the grid is on the hand. */
  robotMounted: boolean
  /** For robots that turn about one axis of the hand only; see `HandEyeOptions`. @default a full robot */
  fourAxis?: { axis: Axis; offset: number }
  /** The pattern's outline, metres. */
  grid: { width: number; height: number }
  camera: PlanCamera
  limits?: Partial<PlanLimits>
  /** The plan ends when the result is this accurate with a probability of 95 %. @default 1 mm and 0.1° */
  wanted?: { metres: number; degrees: number }
  /** Most poses of the plan, without the first moves. @default 16 */
  most?: number
}

/** The settings with their defaults. */
export interface PlanSettings {
  robotMounted: boolean
  fourAxis: { axis: Axis; offset: number } | undefined
  grid: { width: number; height: number }
  camera: Required<PlanCamera>
  limits: PlanLimits
  wanted: { metres: number; degrees: number }
  most: number
}
