import type { Matrix } from 'ml-matrix'
import type { Unknowns } from '../hand-eye/station'
import { composed, inverted, type Pose, product, type Quaternion, rotated, type Vector } from '../pose'
import { conjugated, normalized, ofRotationVector, radians } from '../rotation'
import type { PlanSettings } from './settings'

/** How the camera is to see the grid, relative to the taught pose. Degrees and metres. */
export interface View {
  /** Between the line of sight and the grid's normal, and the direction to which the grid is tilted. */
  tilt: number
  azimuth: number
  /** About the line of sight. */
  roll: number
  /** To the centre of the grid; undefined is as near as it is wholly in the picture. */
  distance?: number
}

/** A view and how it is reached. */
export interface Candidate {
  view: View
  /** The centre of the grid in the camera's frame. */
  seen: Pose
  robot: Pose
}

/** Tilts about the grid, each by the golden angle farther, with roll to either side: as good as a choice by computation. */
const tilted = 35
const azimuthStep = 137.5
const rolled = 60

/** @param index from 0 */
export function plannedView(index: number, { limits }: PlanSettings): View {
  const roll = Math.min(rolled, limits.roll)
  return {
    tilt: Math.min(tilted, limits.tilt),
    azimuth: (index * azimuthStep) % 360,
    roll: index % 2 ? -roll : roll,
  }
}

/** What to choose from where a view of the plan cannot be used. */
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

/** Kept free of the edge of the picture beside the margin, as a multiple of the nearest distance. */
const nearly = 1.03

/**
 * The hand's pose for a view; undefined if the grid would not be wholly in the picture within the limits of distance.
 *
 * @param first the grid in the camera's frame at the taught pose
 * @param doubt how far the grid may be from where it is expected, metres
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

/**
 * A robot that turns about one axis: the roll is about that axis, and what a full robot does by a tilt is a shift of the
 * grid in the picture.
 */
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

/** How uncertain a predicted view is: twice the standard deviation of where the grid will be, metres. */
export const doubtOf = (effect: Matrix, covariance: Matrix): number =>
  2 * Math.sqrt(Math.max(0, effect.mmul(covariance).mmul(effect.transpose()).trace()))

/** What is known of grid and camera without the robot. */
type Seeing = Pick<PlanSettings, 'camera' | 'grid' | 'limits'>

/**
 * How far the grid may move sideways before a corner reaches the margin of the picture, metres; negative if one is
 * beyond it.
 *
 * @param seen the centre of the grid in the camera's frame
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
