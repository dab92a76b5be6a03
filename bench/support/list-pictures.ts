import { cornerPlace } from '../../lib/images/grid/pattern'
import { smoothed } from '../../lib/images/grid/saddles'
import { gridFrom, measuredCorners } from '../../lib/images/grid/find-grid'
import {
  composed,
  eulerOf,
  inverted,
  ofEuler,
  ofRotationVector,
  poseOfNumbers,
  product,
  radians,
  type HandEyeObservation,
  type Pose,
} from '../../lib/robotics'
import { disturbed } from '../../virtual-device/cell/cell'
import { drawPrint, lensOf } from '../../virtual-device/images/render/album'
import { exposed } from '../../virtual-device/images/render/exposed'
import { seededRandom } from '../../virtual-device/values'
import { stageWith, usualLens, usualPattern } from './grid-pictures'

/** Example hand-eye-list, KUKA format. At the first pose the grid faces the camera, along its pixels. */
const listed = [
  [620, -40, 750, 0, 0, 180],
  [360, -35, 652, -1.3, -24, -179.7],
  [893, -49, 734, -9.2, 24.4, 178.3],
  [621, 235, 718, -0.8, -0.2, 156],
  [668, -319, 665, 15.2, -3.9, -156.9],
  [482, 248, 674, -29.8, -20, 167.9],
  [789, 177, 739, 28.1, 20.4, 165.5],
  [374, -57, 659, -52.1, -5.1, -156.3],
  [932, -180, 693, 53.3, 6.3, -159.3],
  [514, 275, 675, -78.4, -17.6, -172.1],
  [810, 235, 719, -46.2, 0.7, 156],
  [779, -345, 648, 74.7, -22.4, -172],
].map((numbers) => poseOfNumbers('kuka', numbers))

const turn = (x: number, y: number, z: number) =>
  ofRotationVector({ x: radians(x), y: radians(y), z: radians(z) })

/** The grid is straight below the first pose. */
const camera: Pose = {
  position: { x: 0.08, y: -0.03, z: 0.06 },
  orientation: product(turn(0, 0, 90), turn(2, -3, 0)),
}
const below: Pose = { position: { x: 0, y: 0, z: 0.6 }, orientation: turn(0, 0, 0) }
const grid = composed(composed(listed[0] as Pose, camera), below)

/** Metres and degrees. */
const robotNoise = { metres: 0.00002, degrees: 0.003 }
/** Around the grid, pixels. */
const margin = 50

/** A camera beside the robot, and the grid on its flange; the views are those of the list. */
const beside: Pose = { position: { x: 0.3, y: 0.9, z: 0.8 }, orientation: turn(-70, 25, 40) }
const onFlange: Pose = { position: { x: -0.05, y: 0.04, z: 0.12 }, orientation: turn(4, 175, 20) }

/** A list without a mistake: the grid measured in pictures, of which only the part around it is drawn. */
export function listInPictures(seed: number, robotMounted = true): HandEyeObservation[] {
  const random = seededRandom(77_000 + seed)
  return listed.map((over) => {
    const view = composed(inverted(composed(over, camera)), grid)
    const robot = robotMounted ? over : composed(composed(beside, view), inverted(onFlange))
    const hand = disturbed(robot, random, robotNoise.metres, robotNoise.degrees)
    const seen = robotMounted
      ? composed(inverted(composed(hand, camera)), grid)
      : composed(inverted(beside), composed(hand, onFlange))
    const found = inPicture(seen, Math.floor(random() * 2 ** 32))
    return { robot, grid: found.pose, covariance: found.covariance }
  })
}

const moved =
  (x: number, y: number, z: number) =>
  ({ position: at, orientation }: Pose): Pose => ({
    position: { x: at.x + x, y: at.y + y, z: at.z + z },
    orientation,
  })

/** One wrong pose of a list; `next` is the pose after it. */
export const listMistakes: Readonly<Record<string, (robot: Pose, next: Pose) => Pose>> = {
  '5 mm': moved(0.003, -0.004, 0),
  '1°': ({ position, orientation }) => ({ position, orientation: product(orientation, turn(1, 0, 0)) }),
  'A and C swapped': ({ position, orientation }) => {
    const [a, b, c] = eulerOf(['z', 'y', 'x'], orientation)
    return { position, orientation: ofEuler(['z', 'y', 'x'], [c, b, a]) }
  },
  'a wrong digit': moved(0, 0, 0.01),
  'a wrong digit of decimetres': moved(0.1, 0, 0),
  'the pose of the next': (_, next) => next,
}

/** The list with a mistake in one pose. */
export function withMistake(
  good: readonly HandEyeObservation[],
  at: number,
  wrong: (robot: Pose, next: Pose) => Pose,
): HandEyeObservation[] {
  const next = good[(at + 1) % good.length] as HandEyeObservation
  return good.map((each, index) => (index === at ? { ...each, robot: wrong(each.robot, next.robot) } : each))
}

/** Measured in a picture. @throws Error if not found */
export function inPicture(truth: Pose, seed: number) {
  const { columns, rows } = usualPattern
  const corners = Array.from({ length: (columns - 1) * (rows - 1) }, (_, index) => {
    const [column, row] = [index % (columns - 1), Math.floor(index / (columns - 1))]
    const { x, y } = cornerPlace(usualPattern, column, row)
    const { position: at } = composed(truth, { position: { x, y, z: 0 }, orientation: turn(0, 0, 0) })
    const { focal, u, v } = usualLens
    return { column, row, x: (focal * at.x) / at.z + u, y: (focal * at.y) / at.z + v }
  })
  const [left, top] = [Math.min(...corners.map(({ x }) => x)), Math.min(...corners.map(({ y }) => y))].map(
    (edge) => Math.floor(edge) - margin,
  ) as [number, number]
  const [right, bottom] = [Math.max(...corners.map(({ x }) => x)), Math.max(...corners.map(({ y }) => y))]
  const lens = {
    ...lensOf(Math.ceil(right) + margin - left, Math.ceil(bottom) + margin - top, 1),
    focal: usualLens.focal,
    u: usualLens.u - left,
    v: usualLens.v - top,
  }
  const pixels = lens.width * lens.height
  const canvas = {
    lens,
    depth: new Float32Array(pixels).fill(Infinity),
    light: new Uint8Array(pixels).fill(195),
  }
  for (const print of stageWith(truth).prints.slice(0, 1)) drawPrint(canvas, print, 0)
  const data = exposed(canvas.light, lens.width, {
    brightness: 0.5,
    gain: 0,
    gamma: 1,
    blur: { x: 0, y: 0 },
    seed,
  })
  const near = corners.map(({ column, row, x, y }) => ({
    column,
    row,
    at: { x: Math.round(x) - left, y: Math.round(y) - top },
  }))
  const picture = { width: lens.width, height: lens.height, data }
  const found = gridFrom(
    measuredCorners({ ...picture, data: ended(smoothed(picture)) }, near, 1),
    usualPattern,
    { focalLength: lens.focal, principalPoint: { u: lens.u, v: lens.v } },
    { near: truth },
  )
  if (!found || 'misfit' in found) throw new Error('The grid was not found.')
  return found
}

/** Result of a generator. */
function ended<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
