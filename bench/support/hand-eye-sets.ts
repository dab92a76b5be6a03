import {
  composed,
  inverted,
  ofRotationVector,
  product,
  radians,
  type HandEyeObservation,
  type Pose,
  type Vector,
} from '../../lib/robotics'
import { seededRandom } from '../../virtual-device/values'

/** Standard deviations, metres and degrees. */
interface HandEyeNoise {
  /** Across and along the line of sight. */
  seenAcross: number
  seenAlong: number
  seenTurnDegrees: number
  robotMove: number
  robotTurnDegrees: number
}

/** A good industrial robot, and a camera half a metre from a grid of about 20 cm. */
export const typicalNoise: HandEyeNoise = {
  seenAcross: 0.0002,
  seenAlong: 0.0004,
  seenTurnDegrees: 0.06,
  robotMove: 0.0001,
  robotTurnDegrees: 0.02,
}

export interface HandEyeSet {
  robotMounted: boolean
  observations: HandEyeObservation[]
  camera: Pose
  grid: Pose
}

interface SetOptions {
  robotMounted: boolean
  poses: number
  /** Between any two poses. */
  spreadDegrees: number
  noise: HandEyeNoise
  seed: number
}

/** Around a grid that the camera faces from 0.5 to 0.7 m, with its detections. */
export function handEyeSet({ robotMounted, poses, spreadDegrees, noise, seed }: SetOptions): HandEyeSet {
  const random = seededRandom(seed)
  const between = (low: number, high: number) => low + (high - low) * random()
  const any = (size: number): Vector => ({
    x: size * normal(random),
    y: size * normal(random),
    z: size * normal(random),
  })
  const camera: Pose = { position: any(0.1), orientation: ofRotationVector(any(1)) }
  const grid: Pose = { position: any(0.5), orientation: ofRotationVector(any(1)) }
  const facing = ofRotationVector({ x: Math.PI, y: 0, z: 0 })

  const observations = turnsSpread(poses, radians(spreadDegrees), random).map((turn): HandEyeObservation => {
    const seen: Pose = {
      position: { x: between(-0.05, 0.05), y: between(-0.05, 0.05), z: between(0.5, 0.7) },
      orientation: product(ofRotationVector(turn), facing),
    }
    const robot = robotMounted
      ? composed(grid, inverted(composed(camera, seen)))
      : composed(composed(camera, seen), inverted(grid))
    return {
      robot: disturbed(robot, any(noise.robotMove), any(radians(noise.robotTurnDegrees))),
      grid: disturbed(
        seen,
        { ...any(noise.seenAcross), z: noise.seenAlong * normal(random) },
        any(radians(noise.seenTurnDegrees)),
      ),
    }
  })
  return { robotMounted, observations, camera, grid }
}

const disturbed = ({ position, orientation }: Pose, move: Vector, turn: Vector): Pose => ({
  position: { x: position.x + move.x, y: position.y + move.y, z: position.z + move.z },
  orientation: product(orientation, ofRotationVector(turn)),
})

/** Rotation vectors, uniform in the largest ball that the widest pair allows. */
function turnsSpread(count: number, spread: number, random: () => number): Vector[] {
  const turns = Array.from({ length: count }, () => {
    const [x, y, z] = [normal(random), normal(random), normal(random)]
    const scale = Math.cbrt(random()) / Math.hypot(x, y, z)
    return { x: x * scale, y: y * scale, z: z * scale }
  })
  const widest = Math.max(
    ...turns.flatMap((one) =>
      turns.map((other) => Math.hypot(one.x - other.x, one.y - other.y, one.z - other.z)),
    ),
  )
  return turns.map(({ x, y, z }) => ({
    x: (x * spread) / widest,
    y: (y * spread) / widest,
    z: (z * spread) / widest,
  }))
}

/** Mean 0, standard deviation 1. */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
