import {
  composed,
  eulerOf,
  inverted,
  ofEuler,
  ofRotationVector,
  product,
  radians,
  type HandEyeObservation,
  type Pose,
  type Vector,
} from '../../lib/robotics'
import { seededRandom } from '../../virtual-device/values'

/** Standard deviations: metres; degrees about a random axis. */
export interface SheetNoise {
  robotTurnDegrees: number
  robotMove: number
  gridTurnDegrees: number
  gridMove: number
  /** Along the line of sight. @default gridMove */
  gridAlong?: number
}

/** Usual in the literature, at 0.7 m. */
export const referenceNoise: SheetNoise = {
  robotTurnDegrees: 0.03,
  robotMove: 0.0001,
  gridTurnDegrees: 0.05,
  gridMove: 0.0003,
}

export const noiseTimes = ({ robot = 1, grid = 1 }: { robot?: number; grid?: number }): SheetNoise => ({
  robotTurnDegrees: robot * referenceNoise.robotTurnDegrees,
  robotMove: robot * referenceNoise.robotMove,
  gridTurnDegrees: grid * referenceNoise.gridTurnDegrees,
  gridMove: grid * referenceNoise.gridMove,
})

/** With known truth. */
export interface SheetCell {
  robotMounted: boolean
  camera: Pose
  grid: Pose
  noise: SheetNoise
  random: () => number
}

/** Camera on a bracket or beside the robot, and a grid; reproducible by seed. */
export function sheetCell(
  robotMounted: boolean,
  seed: number,
  noise: SheetNoise = referenceNoise,
): SheetCell {
  const random = seededRandom(seed)
  const bracket: Pose = {
    position: any(random, 0.1),
    orientation: ofRotationVector(any(random, radians(10))),
  }
  const far: Pose = {
    position: { x: 0.6 + 0.1 * normal(random), y: 0.1 * normal(random), z: 0.1 * normal(random) },
    orientation: ofRotationVector(any(random, 1)),
  }
  return robotMounted
    ? { robotMounted, camera: bracket, grid: far, noise, random }
    : { robotMounted, camera: far, grid: bracket, noise, random }
}

/** Robot and camera, with the grid at `seen` in the camera's frame. */
export function reportedAt(cell: SheetCell, seen: Pose): HandEyeObservation {
  return observed(cell, handAt(cell, seen))
}

/** True flange pose with the grid at `seen` in the camera's frame. */
export function handAt({ robotMounted, camera, grid }: SheetCell, seen: Pose): Pose {
  const inCell = composed(camera, seen)
  return robotMounted ? composed(grid, inverted(inCell)) : composed(inCell, inverted(grid))
}

/** True grid in the camera's frame. */
export const seenAt = ({ robotMounted, camera, grid }: SheetCell, hand: Pose): Pose =>
  robotMounted
    ? composed(inverted(composed(hand, camera)), grid)
    : composed(inverted(camera), composed(hand, grid))

/** With the noise of robot and grid. */
export function observed(cell: SheetCell, hand: Pose): HandEyeObservation {
  const { noise, random } = cell
  return {
    robot: disturbed(random, hand, noise.robotMove, noise.robotTurnDegrees),
    grid: disturbed(random, seenAt(cell, hand), noise.gridMove, noise.gridTurnDegrees, noise.gridAlong),
  }
}

/** Turned by up to `turnDegrees` about each axis, at 0.7 m ± 50 mm. */
export function sheetSet(cell: SheetCell, poses: number, turnDegrees = 30): HandEyeObservation[] {
  const { random } = cell
  const facing = ofRotationVector({ x: Math.PI, y: 0, z: 0 })
  const within = (size: number) => size * (2 * random() - 1)
  return Array.from({ length: poses }, () => {
    const turn = {
      x: radians(within(turnDegrees)),
      y: radians(within(turnDegrees)),
      z: radians(within(turnDegrees)),
    }
    const at = { x: within(0.05), y: within(0.05), z: 0.7 + within(0.05) }
    return reportedAt(cell, { position: at, orientation: product(ofRotationVector(turn), facing) })
  })
}

/** Faults of one pose. */
export const spoilings = {
  'grid turned by 180°': ({ robot, grid }) => ({
    robot,
    grid: { ...grid, orientation: product(grid.orientation, ofRotationVector({ x: 0, y: 0, z: Math.PI })) },
  }),
  'A and C swapped': ({ robot, grid }) => {
    const [a, b, c] = eulerOf(['z', 'y', 'x'], robot.orientation)
    return { robot: { ...robot, orientation: ofEuler(['z', 'y', 'x'], [c, b, a]) }, grid }
  },
  'millimetres for metres': ({ robot: { position, orientation }, grid }) => ({
    robot: {
      position: { x: 1000 * position.x, y: 1000 * position.y, z: 1000 * position.z },
      orientation,
    },
    grid,
  }),
  '2° and 10 mm': ({ robot, grid }, random) => ({ robot, grid: knocked(random, grid, 0.01, 2) }),
  '0.5° and 3 mm': ({ robot, grid }, random) => ({ robot, grid: knocked(random, grid, 0.003, 0.5) }),
} satisfies Readonly<Record<string, (good: HandEyeObservation, random: () => number) => HandEyeObservation>>

/** In a random direction. */
function knocked(random: () => number, { position, orientation }: Pose, metres: number, angle: number): Pose {
  const [move, turn] = [direction(random), direction(random)]
  return {
    position: {
      x: position.x + metres * move.x,
      y: position.y + metres * move.y,
      z: position.z + metres * move.z,
    },
    orientation: product(orientation, ofRotationVector(scaled(turn, radians(angle)))),
  }
}

/** About a random axis, normally distributed. */
const disturbed = (
  random: () => number,
  { position, orientation }: Pose,
  metres: number,
  angle: number,
  along = metres,
): Pose => {
  const move = any(random, metres)
  const turn = scaled(direction(random), radians(angle) * normal(random))
  return {
    position: {
      x: position.x + move.x,
      y: position.y + move.y,
      z: position.z + (metres > 0 ? along / metres : 1) * move.z,
    },
    orientation: product(orientation, ofRotationVector(turn)),
  }
}

const scaled = ({ x, y, z }: Vector, by: number): Vector => ({ x: x * by, y: y * by, z: z * by })

function direction(random: () => number): Vector {
  const vector = any(random, 1)
  return scaled(vector, 1 / Math.hypot(vector.x, vector.y, vector.z))
}

const any = (random: () => number, size: number): Vector => ({
  x: size * normal(random),
  y: size * normal(random),
  z: size * normal(random),
})

/** Mean 0, standard deviation 1. */
export const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
