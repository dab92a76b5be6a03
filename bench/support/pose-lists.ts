import { determinant, inverse, Matrix } from 'ml-matrix'
import { type Noise, station } from '../../lib/robotics/hand-eye/station'
import { byNoise, whitenedErrors } from '../../lib/robotics/outliers/subset'
import { ofRotationVector, product, radians, type Pose, type Vector } from '../../lib/robotics'
import { handAt, referenceNoise, seenAt, type SheetCell } from './sheet-sets'

const facing = ofRotationVector({ x: Math.PI, y: 0, z: 0 })
const distance = 0.7

/** As a public tool lists them: turned about the hand's own axes, then moved; 17 poses. */
export function seventeenPoses(cell: SheetCell): Pose[] {
  const start = handAt(cell, { position: { x: 0, y: 0, z: distance }, orientation: facing })
  const turned = [25, 12.5].flatMap((angle) =>
    (['x', 'y', 'z'] as const).flatMap((axis) =>
      [angle, -angle].map((degrees): Pose => ({
        position: start.position,
        orientation: product(
          start.orientation,
          ofRotationVector({ x: 0, y: 0, z: 0, [axis]: radians(degrees) }),
        ),
      })),
    ),
  )
  const moved = (change: Partial<Vector>): Pose => {
    const { x, y, z } = start.position
    return {
      position: { x: x + (change.x ?? 0), y: y + (change.y ?? 0), z: z + (change.z ?? 0) },
      orientation: start.orientation,
    }
  }
  return [
    ...turned,
    ...[0.05, -0.05].map((x) => moved({ x })),
    ...[0.1, -0.1].map((y) => moved({ y })),
    moved({ z: 0.033 }),
  ]
}

/** Tilted by up to 30°, rolled by up to 60°, at 0.7 m ± 50 mm. */
export const randomPoses = (cell: SheetCell, count: number): Pose[] =>
  Array.from({ length: count }, () => {
    const { random } = cell
    const within = (size: number) => size * (2 * random() - 1)
    const [direction, tilt] = [2 * Math.PI * random(), radians(30 * Math.sqrt(random()))]
    const turn = product(
      ofRotationVector({ x: 0, y: 0, z: radians(within(60)) }),
      ofRotationVector({ x: tilt * Math.cos(direction), y: tilt * Math.sin(direction), z: 0 }),
    )
    return handAt(cell, {
      position: { x: within(0.05), y: within(0.05), z: distance + within(0.05) },
      orientation: product(turn, facing),
    })
  })

/** Of a hundred random poses, always the one that shrinks the covariance's volume most. */
export function greedyPoses(cell: SheetCell, count: number): Pose[] {
  const pool = randomPoses(cell, 100)
  const informations = pool.map((hand) => informationOf(cell, hand))
  let information = Matrix.eye(12).mul(1)
  const chosen: Pose[] = []
  while (chosen.length < count) {
    const volumes = informations.map((each) =>
      determinant(inverse(Matrix.add(information, each)).subMatrix(0, 5, 0, 5)),
    )
    const best = volumes.indexOf(Math.min(...volumes))
    const [hand, added] = [pool[best], informations[best]]
    if (!hand || !added) break
    information = Matrix.add(information, added)
    chosen.push(hand)
  }
  return chosen
}

function informationOf(cell: SheetCell, hand: Pose): Matrix {
  const { robotTurnDegrees, robotMove, gridTurnDegrees, gridMove } = referenceNoise
  const deviations = [radians(gridTurnDegrees), Math.hypot(robotMove, gridMove), radians(robotTurnDegrees)]
  const noise = deviations.map((each) => 2 * Math.log(each)) as unknown as Noise
  const { columns } = whitenedErrors(
    station({ robot: hand, grid: seenAt(cell, hand) }, cell.robotMounted),
    { camera: cell.camera, grid: cell.grid },
    { robotMounted: cell.robotMounted, free: [...Array(12).keys()], whiten: byNoise(noise) },
  )
  const effect = new Matrix(columns)
  return effect.mmul(effect.transpose())
}
