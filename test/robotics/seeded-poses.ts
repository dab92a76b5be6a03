import {
  composed,
  inverted,
  ofRotationVector,
  product,
  radians,
  type Axis,
  type HandEyeObservation,
  type Pose,
} from '../../lib/robotics'
import { seededRandom } from '../../virtual-device/values'

export const turned = (axis: Axis, angleDegrees: number, x = 0, y = 0, z = 0): Pose => ({
  position: { x, y, z },
  orientation: ofRotationVector({ x: 0, y: 0, z: 0, [axis]: radians(angleDegrees) }),
})

export const camera: Pose = {
  position: { x: 0.04, y: -0.03, z: 0.12 },
  orientation: ofRotationVector({ x: 0.1, y: -0.2, z: 1.5 }),
}
export const grid: Pose = {
  position: { x: 0.7, y: 0.1, z: 0.05 },
  orientation: ofRotationVector({ x: 0.2, y: 0.1, z: -0.4 }),
}

/** What a camera sees from these robot poses, without noise. */
export const seenFrom = (robots: readonly Pose[], robotMounted: boolean): HandEyeObservation[] =>
  robots.map((robot) => ({
    robot,
    grid: robotMounted
      ? composed(inverted(composed(robot, camera)), grid)
      : composed(inverted(camera), composed(robot, grid)),
  }))

/** The same observations with normally distributed errors; metres and degrees. */
export function noisy(
  observations: readonly HandEyeObservation[],
  seed: number,
  metres = 0.0003,
  angleDegrees = 0.05,
): HandEyeObservation[] {
  const random = seededRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const any = (size: number) => ({ x: size * normal(), y: size * normal(), z: size * normal() })
  return observations.map(({ robot, grid: { position, orientation } }) => {
    const move = any(metres)
    return {
      robot,
      grid: {
        position: { x: position.x + move.x, y: position.y + move.y, z: position.z + move.z },
        orientation: product(orientation, ofRotationVector(any(radians(angleDegrees)))),
      },
    }
  })
}

/** Poses of a robot with four degrees of freedom, whose hand points down and turns about its z axis. */
export const fourAxisPoses = (count: number, seed = 1): Pose[] => {
  const random = seededRandom(seed)
  const down = ofRotationVector({ x: Math.PI, y: 0, z: 0 })
  return Array.from({ length: count }, () => ({
    position: { x: 0.5 + 0.3 * random(), y: 0.3 * random(), z: 0.4 + 0.1 * random() },
    orientation: product(down, ofRotationVector({ x: 0, y: 0, z: 2 * random() - 1 })),
  }))
}

/** Poses of a full robot, rotated about all axes by up to `spreadDegrees` from the middle. */
export const fullPoses = (count: number, spreadDegrees: number, seed = 1): Pose[] => {
  const random = seededRandom(seed)
  const any = (size: number) => ({
    x: size * (2 * random() - 1),
    y: size * (2 * random() - 1),
    z: size * (2 * random() - 1),
  })
  const down = ofRotationVector({ x: Math.PI, y: 0, z: 0 })
  return Array.from({ length: count }, () => ({
    position: { ...any(0.1), x: 0.6 + 0.1 * random() },
    orientation: product(down, ofRotationVector(any(radians(spreadDegrees)))),
  }))
}
