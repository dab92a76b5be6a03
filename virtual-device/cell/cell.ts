import { Value } from '../../lib/typebox'
import { composed, inverted, type Pose } from '../../lib/robotics/pose'
import { normalized, ofRotationVector, radians } from '../../lib/robotics/quaternion'
import { openedTo, viewOf, type View } from '../detection/view'
import type { Environment, Json } from '../module'
import type { CarriedCamera } from '../motion/carried-camera'
import { CellSettings } from './cell-settings'
import { hindrance, type Hindrance } from './hindrance'
import { disturbed } from './noise'
import { tagsBeside, type CellTag } from './tags-beside'

/** The true poses. Metres and unit quaternions. */
export interface CellTruth {
  /** Whether the camera is mounted on the robot's hand; otherwise the grid is. */
  robot_mounted: boolean
  /** In the hand's frame if it is mounted there, otherwise in the external frame; null until it is placed. */
  camera: Pose | null
  /** In the external frame, or in the hand's frame if the camera is fixed; null until it is placed. */
  grid: Pose | null
  /** Metres. */
  grid_width: number
  grid_height: number
}

/** What is in front of the camera. All poses are true and in its frame. */
export interface CellSnapshot {
  view: View
  settings: CellSettings
  grid: Pose
  tags: readonly CellTag[]
  /** Why the grid is not recognised. */
  hindrance: Hindrance | undefined
}

/** The pose of a grid placed for the camera: nearly straight, nearly centred, with room to turn around it. */
const laidFor = ({ grid_width, grid_height, nearest, farthest }: CellSettings): Pose => ({
  position: {
    x: 0.004,
    y: -0.003,
    z: Math.min(Math.max(3.6 * grid_width, 5.2 * grid_height, 1.2 * nearest), 0.8 * farthest),
  },
  orientation: ofRotationVector({ x: radians(3), y: radians(-4), z: radians(8) }),
})

/** As near as an arm needs it to turn about the grid. */
const withinReach = (settings: CellSettings): Pose => {
  const laid = laidFor(settings)
  const { grid_width, grid_height, nearest } = settings
  const z = Math.min(laid.position.z, Math.max(2.3 * grid_width, 3.4 * grid_height, 1.2 * nearest))
  return { ...laid, position: { ...laid.position, z } }
}

/** The cell in which the camera of a pipeline is calibrated to the robot. */
export class Cell {
  /** The static object in the cell, by who carries the camera: grid or camera in the external frame. */
  private placed: { robot?: Pose; fixed?: Pose } = {}

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
    const standing = robot_mounted
      ? (settings.grid_in_cell ?? this.before('robot') ?? placed.robot)
      : (settings.camera_in_cell ?? this.before('fixed') ?? placed.fixed)
    const still = standing ? unit(standing) : null
    return {
      robot_mounted,
      camera: robot_mounted ? unit(camera_on_hand) : still,
      grid: robot_mounted ? still : unit(grid_on_hand),
      grid_width,
      grid_height,
    }
  }

  /**
   * Places grid or camera in front of each other if the settings give no pose. What was placed stays, unless the camera
   * does not recognise the grid from there and nothing was recorded yet.
   * @param reported the pose of the hand as reported by the robot
   */
  setUp(reported: Pose, asSet: boolean, nothingRecorded: boolean): void {
    if (this.environment.hand?.()) return
    const { hindrance } = this.look(reported, asSet, { exactly: true })
    if (nothingRecorded && hindrance && hindrance.kind !== 'covered') this.placed = {}
    const { camera, grid } = this.truth(asSet)
    const [hand, laid] = [unit(reported), laidFor(this.settings)]
    if (camera && !grid) this.placed = { robot: composed(composed(hand, camera), laid) }
    if (grid && !camera) this.placed = { fixed: composed(composed(hand, grid), inverted(laid)) }
  }

  /**
   * What is in front of the camera.
   * @param reported the pose of the hand as reported by the robot, to which the robot's noise is added. Undefined
   * before the first one. A robot arm in the cell is where it is, whatever was reported.
   */
  look(reported: Pose | undefined, asSet: boolean, { exactly = false } = {}): CellSnapshot {
    const { settings, environment } = this
    const { robot_noise: move, robot_noise_degrees: turn } = settings
    const hand = this.environment.hand?.()?.flange() ?? (reported && unit(reported))
    const actual = hand && !exactly ? disturbed(hand, environment.random, move, turn) : hand
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

  /**
   * The camera in the base of the robot arm, and where it was when the device started; undefined without an arm.
   * @param asSet the parameter `robot_mounted`
   */
  carriedCamera(asSet: boolean): CarriedCamera | undefined {
    const hand = this.environment.hand?.()
    const { robot_mounted, camera } = this.truth(asSet)
    if (!hand || !camera) return undefined
    const isOnArm = robot_mounted
    if (!isOnArm) return { at: () => camera, start: camera, isOnArm }
    const start = composed(hand.start, camera)
    return { at: (seconds) => composed(hand.flangeAt(seconds), camera), start, isOnArm }
  }

  /** The static object that stands in front of where the arm started; undefined without an arm. */
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

/** The grid in the camera's frame. */
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
