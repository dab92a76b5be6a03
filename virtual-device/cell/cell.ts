/**
 * The true state of the simulated cell for hand-eye calibration: camera, grid, flange, and the picture of the grid. In:
 * the scenario. Out: poses and corners with seeded noise.
 */
import {
  composed,
  identity,
  inverted,
  type Pose,
  product,
  type Vector,
  degrees,
  normalized,
  ofRotationVector,
  radians,
} from '../../lib/robotics/pose'
import { type Static, Type, Value } from '../../lib/typebox'
import { deviation, angleBetween, axisOf, lengthOf, openedTo, type View, viewOf } from '../detection/geometry'
import type { Environment, Json } from '../module'
import type { CarriedCamera } from '../motion'
import { seededRandom } from '../values'

/** The true poses. Metres and unit quaternions. */
export interface CellTruth {
  /** Otherwise the grid is on the robot's hand. */
  robot_mounted: boolean
  /** In the hand's frame if it is mounted there, otherwise in the external frame; null until it is placed. */
  camera: Pose | null
  /** In the external frame, or in the hand's frame if the camera is fixed; null until it is placed. */
  grid: Pose | null
  /** Metres. */
  grid_width: number
  grid_height: number
}

/** What is in front of the camera. True poses in its frame. */
export interface CellSnapshot {
  view: View
  settings: CellSettings
  grid: Pose
  tags: readonly CellTag[]
  hindrance: Hindrance | undefined
}

/** For a grid in front of the camera: nearly straight, nearly centred, with room to turn around it. */
const laidFor = ({ grid_width, grid_height, nearest, farthest }: CellSettings): Pose => ({
  position: {
    x: 0.004,
    y: -0.003,
    z: Math.min(Math.max(3.6 * grid_width, 5.2 * grid_height, 1.2 * nearest), 0.8 * farthest),
  },
  orientation: ofRotationVector({ x: radians(3), y: radians(-4), z: radians(8) }),
})

/** As close as an arm needs it to turn about the grid. */
const withinReach = (settings: CellSettings): Pose => {
  const laid = laidFor(settings)
  const { grid_width, grid_height, nearest } = settings
  const z = Math.min(laid.position.z, Math.max(2.3 * grid_width, 3.4 * grid_height, 1.2 * nearest))
  return { ...laid, position: { ...laid.position, z } }
}

export class Cell {
  /** The static object in the cell, by the camera's mounting: grid or camera in the external frame. */
  private placed: { robot?: Pose; fixed?: Pose } = {}
  private ofThisRobot: number | undefined

  constructor(private readonly environment: Pick<Environment, 'scenario' | 'module' | 'random' | 'hand'>) {}

  get settings(): CellSettings {
    return { ...Value.Create(CellSettings), ...this.environment.scenario().scene.hand_eye }
  }

  get view(): View {
    return openedTo(this.settings.opening, viewOf(this.environment))
  }

  /** @param asSet the parameter `robot_mounted` */
  truth(asSet: boolean): CellTruth {
    const { settings, placed } = this
    const robot_mounted = carriesCamera(settings, asSet)
    const { camera_on_hand, grid_on_hand, grid_width, grid_height } = settings
    const fixedObject = robot_mounted
      ? (settings.grid_in_cell ?? this.before('robot') ?? placed.robot)
      : (settings.camera_in_cell ?? this.before('fixed') ?? placed.fixed)
    const still = fixedObject ? unit(fixedObject) : null
    return {
      robot_mounted,
      camera: robot_mounted ? unit(camera_on_hand) : still,
      grid: robot_mounted ? still : unit(grid_on_hand),
      grid_width,
      grid_height,
    }
  }

  /**
   * Places grid or camera in front of each other if the settings give no pose. A placed object stays, unless the camera
   * does not recognise the grid from there and nothing was recorded yet. @param reported the hand's pose as reported by
   * the robot
   */
  setUp(reported: Pose, asSet: boolean, nothingRecorded: boolean): void {
    if (this.environment.hand?.()) return
    const { hindrance } = this.snapshot(reported, asSet, { exactly: true })
    if (nothingRecorded && hindrance && hindrance.kind !== 'covered') this.placed = {}
    const { camera, grid } = this.truth(asSet)
    const [hand, laid] = [unit(reported), laidFor(this.settings)]
    if (camera && !grid) this.placed = { robot: composed(composed(hand, camera), laid) }
    if (grid && !camera) this.placed = { fixed: composed(composed(hand, grid), inverted(laid)) }
  }

  /**
   * The current view. @param reported the hand's pose as reported by the robot, which misses it by the robot's noise:
   * always the same at the same pose, for the device as for its pictures; undefined before the first one. A robot arm
   * in the cell is where it is, whatever was reported.
   */
  snapshot(reported: Pose | undefined, asSet: boolean, { exactly = false } = {}): CellSnapshot {
    const { settings, environment } = this
    const { robot_noise: move, robot_noise_degrees: turn } = settings
    const hand = this.environment.hand?.()?.flange() ?? (reported && unit(reported))
    const actual = hand && !exactly ? disturbed(hand, this.noiseAt(hand), move, turn) : hand
    const grid = (actual && relative(this.truth(asSet), actual)) ?? laidFor(settings)
    const { view } = this
    return {
      view,
      settings,
      grid,
      tags: tagsBeside(grid, settings),
      hindrance: environment.scenario().grid_visible ? hindrance(grid, settings, view) : { kind: 'covered' },
    }
  }

  private noiseAt({ position, orientation }: Pose): () => number {
    this.ofThisRobot ??= Math.floor(2 ** 32 * this.environment.random())
    const numbers = [...Object.values(position), ...Object.values(orientation)]
    const mixed = numbers.reduce(
      (seed, each: number) => Math.imul(seed ^ Math.round(1e7 * each), 0x01000193),
      this.ofThisRobot,
    )
    return seededRandom(mixed)
  }

  /** In the arm's base, now and at the device's start; undefined without an arm. @param asSet parameter `robot_mounted` */
  carriedCamera(asSet: boolean): CarriedCamera | undefined {
    const hand = this.environment.hand?.()
    const { robot_mounted, camera } = this.truth(asSet)
    if (!hand || !camera) return undefined
    const isOnArm = robot_mounted
    if (!isOnArm) return { at: () => camera, start: camera, isOnArm }
    const start = composed(hand.start, camera)
    return { at: (seconds) => composed(hand.flangeAt(seconds), camera), start, isOnArm }
  }

  /** The static object in front of the arm's start pose; undefined without an arm. */
  private before(mounted: 'robot' | 'fixed'): Pose | undefined {
    const start = this.environment.hand?.()?.start
    if (!start) return undefined
    const { settings } = this
    return mounted === 'robot'
      ? composed(composed(start, unit(settings.camera_on_hand)), withinReach(settings))
      : composed(composed(start, unit(settings.grid_on_hand)), inverted(withinReach(settings)))
  }

  save(): Json {
    return this.placed
  }

  restore(saved: Json | undefined): void {
    this.placed = (saved ?? {}) as Cell['placed']
  }
}

const carriesCamera = ({ mounting }: CellSettings, asSet: boolean) =>
  mounting === 'as_set' ? asSet : mounting === 'robot'

function relative({ robot_mounted, camera, grid }: CellTruth, hand: Pose): Pose | undefined {
  if (!camera || !grid) return undefined
  return robot_mounted
    ? composed(inverted(composed(hand, camera)), grid)
    : composed(inverted(camera), composed(hand, grid))
}

/** Robots round their quaternions. */
const unit = ({ position, orientation }: Pose): Pose => ({
  position,
  orientation: normalized(orientation),
})

const coordinate = Type.Number({ minimum: -20, maximum: 20 })
const part = Type.Number({ minimum: -1, maximum: 1 })
const strict = { additionalProperties: false }
/** The orientation is normalised, because its digits may be rounded. */
const pose = (options: { default?: Pose } = {}) =>
  Type.Object(
    {
      position: Type.Object({ x: coordinate, y: coordinate, z: coordinate }, strict),
      orientation: Type.Object({ w: part, x: part, y: part, z: part }, strict),
    },
    { ...strict, ...options },
  )

const turn = (x: number, y: number, z: number) =>
  ofRotationVector({ x: radians(x), y: radians(y), z: radians(z) })
const gridEdge = (byDefault: number) => Type.Number({ default: byDefault, minimum: 0.02, maximum: 2 })
const noise = (byDefault: number, maximum: number) => Type.Number({ default: byDefault, minimum: 0, maximum })

const Tag = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 100 }),
    size: Type.Number({ minimum: 0.01, maximum: 0.5 }),
    /** @default april */
    kind: Type.Optional(Type.Union([Type.Literal('april'), Type.Literal('qr')])),
  },
  strict,
)

/**
 * The true cell in which the camera is calibrated to the robot. Metres and degrees; noise as the standard deviation of
 * one number. The hand is the frame whose pose the robot reports. The grid's frame is at its centre: x to its right, y
 * down, z into it.
 */
export const CellSettings = Type.Object(
  {
    /** Position of the camera; a `robot_mounted` that contradicts it does not calibrate. `as_set` follows the parameter. */
    mounting: Type.Union([Type.Literal('as_set'), Type.Literal('robot'), Type.Literal('fixed')], {
      default: 'robot',
    }),
    /** With the camera on the robot: the camera in the hand's frame. */
    camera_on_hand: pose({
      default: {
        position: { x: 0.08, y: -0.03, z: 0.06 },
        orientation: product(turn(0, 0, 90), turn(2, -3, 0)),
      },
    }),
    /** Camera on the robot: the grid in the external frame. @default in front of the camera at the first image */
    grid_in_cell: Type.Optional(pose()),
    /** With a fixed camera: the grid in the hand's frame. */
    grid_on_hand: pose({ default: { position: { x: 0, y: 0, z: 0.1 }, orientation: turn(180, 0, 0) } }),
    /** With a fixed camera: the camera in the external frame. @default placed in front of the grid at the first image */
    camera_in_cell: Type.Optional(pose()),
    /** True size of the grid, whatever the parameters say. */
    grid_width: gridEdge(0.26),
    grid_height: gridEdge(0.18),
    /** AprilTags and QR codes in a row below the grid, from left to right. */
    tags: Type.Array(Tag, {
      default: [
        { id: '36h11_0', size: 0.04 },
        { id: '36h11_1', size: 0.04 },
        { id: '36h11_2', size: 0.04 },
      ],
      maxItems: 8,
    }),
    /** Horizontal field of view, degrees. @default the camera's own */
    opening: Type.Optional(Type.Number({ minimum: 10, maximum: 150 })),
    /** Range of distances at which the grid is recognised. */
    nearest: Type.Number({ default: 0.25, minimum: 0.05, maximum: 10 }),
    farthest: Type.Number({ default: 2, minimum: 0.1, maximum: 20 }),
    /** Largest angle between the line of sight and the normal of the grid, degrees. */
    steepest: Type.Number({ default: 60, minimum: 5, maximum: 85 }),
    /** Deviation of the robot from the pose that it reports. */
    robot_noise: noise(0.00002, 0.05),
    robot_noise_degrees: noise(0.003, 10),
    /** Noise of the detected grid at 0.6 m, across the line of sight; twice as large along it; grows with the distance. */
    grid_noise: noise(0.00004, 0.05),
    grid_noise_degrees: noise(0.01, 10),
    /** Another program holds the lock of the calibration: `set_pose` answers 9. */
    locked: Type.Boolean({ default: false }),
    /** Calibrations can be neither written nor deleted: `save_calibration` answers 1, `remove_calibration` 2. */
    storage_fails: Type.Boolean({ default: false }),
  },
  strict,
)
export type CellSettings = Static<typeof CellSettings>

type Side = 'left' | 'right' | 'top' | 'bottom'

/** Why a camera does not recognise the grid. Metres and degrees. */
type Hindrance =
  | { kind: 'covered' }
  /** The edges beyond which there are corners. */
  | { kind: 'outside'; sides: Side[] }
  | { kind: 'behind' }
  | { kind: 'backside' }
  | { kind: 'too-near' | 'too-far'; metres: number; limit: number }
  | { kind: 'too-steep'; degrees: number; limit: number }

type Limits = Pick<CellSettings, 'grid_width' | 'grid_height' | 'nearest' | 'farthest' | 'steepest'>

/** @param grid in the camera's frame */
function hindrance(grid: Pose, limits: Limits, view: View): Hindrance | undefined {
  const { nearest, farthest, steepest } = limits
  const corners = cornersOf(grid, limits)
  if (corners.every(({ z }) => z <= 0)) return { kind: 'behind' }
  if (!corners.every(view.inImage)) return { kind: 'outside', sides: sidesOf(corners, view) }
  const { metres, degrees: angle } = steepness(grid)
  if (angle > 90) return { kind: 'backside' }
  if (metres < nearest) return { kind: 'too-near', metres, limit: nearest }
  if (metres > farthest) return { kind: 'too-far', metres, limit: farthest }
  if (angle > steepest) return { kind: 'too-steep', degrees: angle, limit: steepest }
  return undefined
}

function sidesOf(corners: readonly Vector[], { pixel, width, height }: View): Side[] {
  const beyond: Readonly<Record<Side, (corner: Vector) => boolean>> = {
    left: (corner) => pixel(corner).x < 0,
    right: (corner) => pixel(corner).x >= width,
    top: (corner) => pixel(corner).y < 0,
    bottom: (corner) => pixel(corner).y >= height,
  }
  // A point behind the camera is projected far outside, on its own side.
  const ahead = corners.map(({ x, y, z }) => ({ x, y, z: Math.max(z, 1e-3) }))
  return (Object.keys(beyond) as Side[]).filter((side) => ahead.some(beyond[side]))
}

/** Distance of the grid, and angle between the line of sight and its normal. @param grid in the camera's frame */
export function steepness(grid: Pose): { metres: number; degrees: number } {
  // The grid's z points into it: on the front, the line of sight has the same direction.
  const angle = angleBetween(axisOf(grid, 'z'), grid.position)
  return { metres: lengthOf(grid.position), degrees: degrees(angle) }
}

/** In the camera's frame, clockwise from the top left. */
export function cornersOf(
  grid: Pose,
  { grid_width: width, grid_height: height }: Pick<Limits, 'grid_width' | 'grid_height'>,
): Vector[] {
  const { orientation } = identity()
  return [
    { x: -width / 2, y: -height / 2, z: 0 },
    { x: width / 2, y: -height / 2, z: 0 },
    { x: width / 2, y: height / 2, z: 0 },
    { x: -width / 2, y: height / 2, z: 0 },
  ].map((position) => composed(grid, { position, orientation }).position)
}

/** For the person who moves the robot. */
export function sentenceOf(hindrance: Hindrance): string {
  switch (hindrance.kind) {
    case 'covered':
      return 'Grid not detected: it is covered.'
    case 'behind':
      return 'Grid not detected: it is behind the camera.'
    case 'outside':
      return `Grid not detected: it is not wholly in the picture, but leaves it at the ${hindrance.sides.join(' and ')}.`
    case 'backside':
      return 'Grid not detected: the camera sees its back.'
    case 'too-near':
      return `Grid not detected: at ${hindrance.metres.toFixed(2)} m it is nearer than ${hindrance.limit} m.`
    case 'too-far':
      return `Grid not detected: at ${hindrance.metres.toFixed(2)} m it is farther than ${hindrance.limit} m.`
    case 'too-steep':
      return `Grid not detected: seen at ${hindrance.degrees.toFixed(0)} degrees, more than ${hindrance.limit}.`
  }
}

/** Pose of its centre: x to its right, y down, z into it. */
export interface CellTag {
  id: string
  kind: 'april' | 'qr'
  size: number
  pose: Pose
}

/** In a row below the grid, from left to right. */
export function tagsBeside(
  grid: Pose,
  { tags, grid_width, grid_height }: Pick<CellSettings, 'tags' | 'grid_width' | 'grid_height'>,
): CellTag[] {
  return tags.map(({ id, size, kind = 'april' }, index) => ({
    id,
    kind,
    size,
    pose: composed(grid, {
      position: {
        x: grid_width * ((index + 0.5) / tags.length - 0.5),
        y: grid_height / 2 + 0.01 + size / 2,
        z: 0,
      },
      orientation: identity().orientation,
    }),
  }))
}

/** @param move standard deviation of a coordinate, metres @param turn of a rotation about an axis, degrees */
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

const rows = 9 // on every calibration grid

/** The square at the top left is black. */
export const squaresOf = ({
  grid_width,
  grid_height,
}: Pick<CellSettings, 'grid_width' | 'grid_height'>): { rows: number; columns: number } => ({
  rows,
  columns: Math.max(1, Math.round((grid_width / grid_height) * rows)),
})

export interface Hand {
  /** Current flange pose, in the base of the arm. */
  flange: () => Pose
  /** At a moment of the device's clock, seconds. */
  flangeAt: (seconds: number) => Pose
  /** At the device's start: grid or camera is placed in front of it. */
  start: Pose
  links: () => Pose[]
  /** True values of the arm, for tests and lessons. */
  truth: () => object
}
