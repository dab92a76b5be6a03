/** Settings of a plan, and the views of the grid that it may choose from. */
import type { Matrix } from 'ml-matrix'
import type { Unknowns } from '../hand-eye/station'
import {
  composed,
  inverted,
  type Pose,
  product,
  type Quaternion,
  rotated,
  type Vector,
  conjugated,
  normalized,
  ofRotationVector,
  radians,
  type Axis,
} from '../pose'

/** The camera's picture. Pixels. */
export interface PlanCamera {
  width: number
  height: number
  /** Pixels, as the camera's calibration gives it. */
  focalLength: number
  /** Principal point. @default the middle */
  centre?: { x: number; y: number }
}

/** Metres and degrees; positions in the robot's base. */
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
  /** Lowest height of the same points. @default none */
  floor?: number
  /** Greatest distance of the hand from the robot's base. @default none */
  reach?: number
  /** Largest step: a longer path is split. @default 0.3 m and 40° */
  step: { metres: number; degrees: number }
  /** Free margin around the grid, as a share of the picture's width. @default 0.04 */
  margin: number
}

/** Input of {@link createPlanner}. */
export interface PlannerSettings {
  /** True: the camera is on the robot's hand. False: it is fixed, and the grid is on the hand. */
  robotMounted: boolean
  /** For robots that turn about one axis of the hand only; see `HandEyeOptions`. @default a full robot */
  fourAxis?: { axis: Axis; offset: number }
  /** The pattern's outline, metres. */
  grid: { width: number; height: number }
  camera: PlanCamera
  limits?: Partial<PlanLimits>
  /** Required accuracy with a probability of 95 %. @default 1 mm and 0.1° */
  wanted?: { metres: number; degrees: number }
  /** Poses of the plan, without the first moves. @default 16 */
  most?: number
}

export interface PlanSettings {
  robotMounted: boolean
  fourAxis: { axis: Axis; offset: number } | undefined
  grid: { width: number; height: number }
  camera: Required<PlanCamera>
  limits: PlanLimits
  wanted: { metres: number; degrees: number }
  most: number
}

/** @throws RangeError with a sentence for an unsupported setting */
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

/** @throws RangeError with a sentence that names a setting, its bounds and the value */
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
 * Why the robot visits a pose: `taught`, the first one; `shift` and `turn`, small first moves that locate the camera;
 * `view`, a pose of the plan; `again`, back to where the grid was detected, to check that it is still there.
 */
export type Purpose = 'taught' | 'shift' | 'turn' | 'view' | 'again'

/** A visited pose, in order. */
export interface Attempt {
  purpose: Purpose
  /** The hand as the robot reports it at rest. Metres. */
  robot: Pose
  /** Centre of the grid in the camera's frame; undefined if it was not detected. */
  grid?: Pose
  /** Its covariance, see `HandEyeObservation`. */
  covariance?: readonly (readonly number[])[]
  /** A person left the pose out. It counts as one without the grid. */
  skipped?: true
  /** Predicted, for a forecast of the plan. */
  assumed?: true
}

/** An attempt at which the grid was detected. */
export type Sighting = Attempt & { grid: Pose }

/** Whether the grid was detected at an attempt. */
export const isSighting = (attempt: Attempt): attempt is Sighting => attempt.grid !== undefined

/** How the camera is to see the grid, relative to the taught pose. Degrees and metres. */
export interface View {
  /** Between the line of sight and the grid's normal, and the direction to which the grid is tilted. */
  tilt: number
  azimuth: number
  /** About the line of sight. */
  roll: number
  /** To the centre of the grid; undefined: as near as the picture contains all of it. */
  distance?: number
}

export interface Candidate {
  view: View
  /** Centre of the grid in the camera's frame. */
  seen: Pose
  robot: Pose
}

/** Degrees. Each view is the golden angle farther around the grid: as good as an optimized choice. */
const tilted = 35

const azimuthStep = 137.5

const rolled = 60

export function plannedView(index: number, { limits }: PlanSettings): View {
  const roll = Math.min(rolled, limits.roll)
  return {
    tilt: Math.min(tilted, limits.tilt),
    azimuth: (index * azimuthStep) % 360,
    roll: index % 2 ? -roll : roll,
  }
}

/** Alternatives where a view of the plan cannot be used. */
export function otherViews({ limits, fourAxis }: PlanSettings): View[] {
  const rolls = [1, 0.6, 0.3, 0, -0.3, -0.6, -1].map((share) => share * Math.min(rolled, limits.roll))
  if (fourAxis)
    return rolls.flatMap((roll) =>
      [0, 90, 180, 270].flatMap((azimuth) => [0, 1].map((tilt) => ({ tilt, azimuth, roll }))),
    )
  return [1, 0.65, 0.35].flatMap((share) =>
    [0, 45, 90, 135, 180, 225, 270, 315].flatMap((azimuth) =>
      rolls.map((roll) => ({ tilt: share * Math.min(tilted, limits.tilt), azimuth, roll })),
    ),
  )
}

/** Multiple of the nearest distance that keeps the grid off the edge, besides the margin. */
const nearly = 1.03

/**
 * The hand's pose for a view; undefined if the picture could not contain the whole grid within the limits of distance.
 * @param first the grid in the camera's frame at the taught pose @param doubt uncertainty of the grid's position,
 * metres
 */
export function candidateOf(
  settings: PlanSettings,
  { taught, first, unknowns, doubt }: { taught: Pose; first: Pose; unknowns: Unknowns; doubt: number },
  view: View,
): Candidate | undefined {
  const length = Math.hypot(first.position.x, first.position.y, first.position.z)
  const { nearest = 0.6 * length, farthest = 1.3 * length } = settings.limits
  const at = (distance: number): Candidate => {
    const { seen, arm } = settings.fourAxis
      ? turnedOnly(settings, taught, unknowns, view, distance)
      : turnedAbout(unknowns, facing(first.orientation), view, distance)
    return { view, seen, robot: settings.robotMounted ? arm : inverted(arm) }
  }
  for (let distance = view.distance ?? nearest; distance <= farthest; distance *= nearly) {
    const candidate = at(distance)
    if (slackOf(settings, candidate.seen) >= doubt) return candidate
    if (view.distance !== undefined) return undefined
  }
  return undefined
}

function turnedAbout({ camera, grid }: Unknowns, straight: Quaternion, view: View, distance: number) {
  const seen: Pose = {
    position: { x: 0, y: 0, z: distance },
    orientation: product(turnOf(view), straight),
  }
  return { seen, arm: composed(grid, inverted(composed(camera, seen))) }
}

/** A robot that turns about one axis rolls about it, and shifts the grid in the picture instead of tilting. */
function turnedOnly(
  { fourAxis, robotMounted, grid: size }: PlanSettings,
  taught: Pose,
  { camera, grid }: Unknowns,
  { roll, azimuth, tilt }: View,
  distance: number,
) {
  const axis = { x: 0, y: 0, z: 0, [fourAxis?.axis ?? 'z']: radians(roll) }
  const hand = product(taught.orientation, ofRotationVector(axis))
  const turn = robotMounted ? hand : conjugated(hand)
  const aside = 0.5 * tilt * Math.min(size.width, size.height)
  const at = {
    x: aside * Math.cos(radians(azimuth)),
    y: aside * Math.sin(radians(azimuth)),
    z: distance,
  }
  const inArm = rotated(add(camera.position, rotated(at, camera.orientation)), turn)
  const arm: Pose = { position: add(grid.position, inArm, -1), orientation: turn }
  return { seen: composed(inverted(composed(arm, camera)), grid), arm }
}

/** A tilt of the grid about an axis in the picture, then a roll about the line of sight. */
export const turnOf = ({ tilt, azimuth, roll }: View): Quaternion => {
  const [direction, angle] = [radians(azimuth), radians(tilt)]
  const tilting = { x: angle * Math.cos(direction), y: angle * Math.sin(direction), z: 0 }
  return product(ofRotationVector({ x: 0, y: 0, z: radians(roll) }), ofRotationVector(tilting))
}

/** The same grid turned the shortest way to face the camera, whichever side its frame's z points to. */
function facing(orientation: Quaternion): Quaternion {
  const normal = rotated({ x: 0, y: 0, z: 1 }, orientation)
  const side = normal.z < 0 ? -1 : 1
  // From the normal to the line of sight: half the angle, from the sum of both directions.
  const turn = normalized({ w: 1 + side * normal.z, x: side * normal.y, y: -side * normal.x, z: 0 })
  return product(turn, orientation)
}

const add = (one: Vector, other: Vector, sign = 1): Vector => ({
  x: one.x + sign * other.x,
  y: one.y + sign * other.y,
  z: one.z + sign * other.z,
})

/** Uncertainty of a predicted view: two standard deviations of the grid's position, metres. */
export const doubtOf = (effect: Matrix, covariance: Matrix): number =>
  2 * Math.sqrt(Math.max(0, effect.mmul(covariance).mmul(effect.transpose()).trace()))

type Seeing = Pick<PlanSettings, 'camera' | 'grid' | 'limits'>

/**
 * Sideways room of the grid before a corner reaches the margin of the picture, metres; negative if one is beyond it.
 * @param seen centre of the grid in the camera's frame
 */
export function slackOf({ camera, grid, limits }: Seeing, seen: Pose): number {
  const { focalLength, centre, width, height } = camera
  const margin = limits.margin * width
  const slacks = [-1, 1].flatMap((across) =>
    [-1, 1].map((down) => {
      const corner = { x: (across * grid.width) / 2, y: (down * grid.height) / 2, z: 0 }
      const { x, y, z } = composed(seen, { position: corner, orientation: noTurn }).position
      if (!(z > 0)) return -Infinity
      const [u, v] = [centre.x + (focalLength * x) / z, centre.y + (focalLength * y) / z]
      const pixels = Math.min(u, v, width - u, height - v) - margin
      return (pixels * z) / focalLength
    }),
  )
  return Math.min(...slacks)
}

const noTurn = { w: 1, x: 0, y: 0, z: 0 }
