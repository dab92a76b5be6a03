import type { Pose, Vector } from '../pose'
import type { Axis } from '../rotation'

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

/** @throws RangeError with a sentence for a setting that cannot be planned with */
export function planSettings({
  robotMounted,
  fourAxis,
  grid,
  camera,
  limits = {},
  wanted = { metres: 0.001, degrees: 0.1 },
  most = 16,
}: PlannerSettings): PlanSettings {
  return checked({
    robotMounted,
    fourAxis,
    grid,
    camera: { ...camera, centre: camera.centre ?? { x: camera.width / 2, y: camera.height / 2 } },
    limits: {
      tilt: 40,
      roll: 65,
      cone: 100,
      step: { metres: 0.3, degrees: 40 },
      margin: 0.04,
      ...limits,
    },
    wanted,
    most,
  })
}

/** [name, value, least, most]: the units are in the names. */
type Bound = readonly [string, number | undefined, number, number]

/** Returns the settings. @throws RangeError with a sentence that names a setting, its bounds and the value */
function checked(settings: PlanSettings): PlanSettings {
  const { grid, camera, limits, wanted, most, fourAxis } = settings
  const { step, box } = limits
  const bounds: readonly Bound[] = [
    ['the width of the grid in metres', grid.width, 0.005, 10],
    ['the height of the grid in metres', grid.height, 0.005, 10],
    ['the width of the picture in pixels', camera.width, 16, 100_000],
    ['the height of the picture in pixels', camera.height, 16, 100_000],
    ['the focal length in pixels', camera.focalLength, 1, 1_000_000],
    ['the largest tilt in degrees', limits.tilt, 5, 70],
    ['the largest roll in degrees', limits.roll, 0, 180],
    ['the largest rotation in degrees', limits.cone, 5, 180],
    ['the nearest distance in metres', limits.nearest, 0.01, 100],
    ['the farthest distance in metres', limits.farthest, 0.01, 100],
    ['the floor in metres', limits.floor, -100, 100],
    ['the reach in metres', limits.reach, 0.05, 100],
    ['the largest step in metres', step.metres, 0.005, 10],
    ['the largest step in degrees', step.degrees, 1, 180],
    ['the margin as a share of the picture', limits.margin, 0, 0.4],
    ['the wanted accuracy in metres', wanted.metres, 1e-6, 1],
    ['the wanted accuracy in degrees', wanted.degrees, 1e-5, 90],
    ['the most poses of the plan', most, 3, 100],
    ['the offset along the axis in metres', fourAxis?.offset, -20, 20],
  ]
  for (const bound of bounds) check(bound)
  const { nearest = 0, farthest = Infinity } = limits
  if (nearest >= farthest)
    throw new RangeError(`The nearest distance, ${nearest} m, must be below the farthest, ${farthest} m.`)
  for (const axis of ['x', 'y', 'z'] as const)
    if (box && !(box.least[axis] < box.most[axis]))
      throw new RangeError(
        `The workspace box must be wider than nothing along ${axis}: from ${box.least[axis]} to ${box.most[axis]} m.`,
      )
  return settings
}

function check([name, value, least, most]: Bound): void {
  if (value === undefined || (value >= least && value <= most)) return
  throw new RangeError(`${capital(name)} must be from ${least} to ${most}, got ${value}.`)
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

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
