import type { Vector } from '../../../lib/robotics/pose'
import type { Body } from '../stage/stage'
import { cornersOfBox, placed, windowOf, type Eye, type Placed } from './placed'
import type { Canvas } from './canvas'

/** Grains per metre of the texture on every body. */
const grains = 250
/** Of a grain: where the first one begins. */
const aside = 0.37
/** Share by which a grain differs from its body. */
const contrast = 0.3
/** Share of the light that comes from everywhere. */
const ambient = 0.35
/** Direction to the lamp: beside the camera. In the camera's frame, of unit length. */
const lamp = { x: -0.35, y: -0.45, z: -0.8216 }

/** A body as an eye sees it. */
interface SeenBody extends Placed {
  body: Body
  /** Direction to the lamp in the body's frame. */
  toLamp: Vector
}

/** Draws bodies, each where it is nearer than the others and than what is there. */
export function drawBodies(image: Canvas, bodies: readonly Body[], eye: Eye): void {
  const seen = bodies.map((body): SeenBody => {
    const there = placed(body.pose, eye)
    return { ...there, body, toLamp: turned(there, lamp) }
  })
  // Only what is seen in the end gets its light.
  const nearest = new Uint16Array(image.depth.length)
  for (const [index, each] of seen.entries()) findNearest(image, each, { eye, nearest, mark: index + 1 })
  shade(image, seen, nearest)
}

function findNearest(
  { lens, depth }: Canvas,
  { body, from, right, down, ahead }: SeenBody,
  { eye, nearest, mark }: { eye: Eye; nearest: Uint16Array; mark: number },
) {
  const { left, right: end, top, bottom } = windowOf(cornersOfBox(body.pose, body.half), eye, lens)
  const { half } = body
  const isBox = body.shape === 'box'
  for (let row = top; row < bottom; row++) {
    const y = (row - lens.v) / lens.focal
    const [wayX, wayY, wayZ] = [down.x * y + ahead.x, down.y * y + ahead.y, down.z * y + ahead.z]
    for (let column = left; column < end; column++) {
      const x = (column - lens.u) / lens.focal
      const alongX = right.x * x + wayX
      const alongY = right.y * x + wayY
      const alongZ = right.z * x + wayZ
      const at = isBox
        ? toBox(from, half, alongX, alongY, alongZ)
        : toEllipsoid(from, half, alongX, alongY, alongZ)
      const index = row * lens.width + column
      if (!(at < (depth[index] as number))) continue
      depth[index] = at
      nearest[index] = mark
    }
  }
}

/** Light on the points of the bodies that are seen. */
function shade({ lens, depth, light }: Canvas, seen: readonly SeenBody[], nearest: Uint16Array) {
  let index = 0
  for (let row = 0; row < lens.height; row++) {
    const y = (row - lens.v) / lens.focal
    for (let column = 0; column < lens.width; column++, index++) {
      const mark = nearest[index] as number
      if (mark === 0) continue
      const { body, from, right, down, ahead, toLamp } = seen[mark - 1] as SeenBody
      const x = (column - lens.u) / lens.focal
      const at = depth[index] as number
      light[index] = lightAt(
        body,
        toLamp,
        from.x + at * (right.x * x + down.x * y + ahead.x),
        from.y + at * (right.y * x + down.y * y + ahead.y),
        from.z + at * (right.z * x + down.z * y + ahead.z),
      )
    }
  }
}

const turned = (axes: { right: Vector; down: Vector; ahead: Vector }, { x, y, z }: Vector): Vector => ({
  x: axes.right.x * x + axes.down.x * y + axes.ahead.x * z,
  y: axes.right.y * x + axes.down.y * y + axes.ahead.y * z,
  z: axes.right.z * x + axes.down.z * y + axes.ahead.z * z,
})

/** @param x @param y @param z a point on the body, in its frame */
function lightAt({ half, shape, albedo }: Body, toLamp: Vector, x: number, y: number, z: number): number {
  let facing: number
  if (shape === 'box') {
    // The face that was hit is the one nearest to its plane.
    const outX = Math.abs(x) / half.x
    const outY = Math.abs(y) / half.y
    const outZ = Math.abs(z) / half.z
    if (outX >= outY && outX >= outZ) facing = x < 0 ? -toLamp.x : toLamp.x
    else if (outY >= outZ) facing = y < 0 ? -toLamp.y : toLamp.y
    else facing = z < 0 ? -toLamp.z : toLamp.z
  } else {
    const nx = x / half.x ** 2
    const ny = y / half.y ** 2
    const nz = z / half.z ** 2
    facing = (nx * toLamp.x + ny * toLamp.y + nz * toLamp.z) / Math.sqrt(nx * nx + ny * ny + nz * nz)
  }
  const bright = facing > 0 ? ambient + (1 - ambient) * facing : ambient
  return 255 * albedo * bright * (1 + contrast * (grain(x, y, z) - 0.5))
}

/** 0 to 1, the same for all points of a grain. */
function grain(x: number, y: number, z: number): number {
  // Part of a grain aside, so that no face of a usual size is a border between grains.
  let mixed =
    Math.imul(Math.floor(x * grains + aside), 0x9e3779b1) ^
    Math.imul(Math.floor(y * grains + aside), 0x85ebca6b) ^
    Math.imul(Math.floor(z * grains + aside), 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296
}

/** @param wayX @param wayY @param wayZ one metre of the camera's axis, as the other parameters in the body's frame */
function toBox(from: Vector, half: Vector, wayX: number, wayY: number, wayZ: number): number {
  // A ray along a face has an infinite one, with its sign.
  const byX = 1 / wayX
  const byY = 1 / wayY
  const byZ = 1 / wayZ
  let enters = ((byX > 0 ? -half.x : half.x) - from.x) * byX
  let leaves = ((byX > 0 ? half.x : -half.x) - from.x) * byX
  const entersY = ((byY > 0 ? -half.y : half.y) - from.y) * byY
  const leavesY = ((byY > 0 ? half.y : -half.y) - from.y) * byY
  const entersZ = ((byZ > 0 ? -half.z : half.z) - from.z) * byZ
  const leavesZ = ((byZ > 0 ? half.z : -half.z) - from.z) * byZ
  if (entersY > enters) enters = entersY
  if (entersZ > enters) enters = entersZ
  if (leavesY < leaves) leaves = leavesY
  if (leavesZ < leaves) leaves = leavesZ
  return enters <= leaves && enters > 0 ? enters : Infinity
}

function toEllipsoid(from: Vector, half: Vector, wayX: number, wayY: number, wayZ: number): number {
  // In units of half its diameters, an ellipsoid is a sphere.
  const fromX = from.x / half.x
  const fromY = from.y / half.y
  const fromZ = from.z / half.z
  const x = wayX / half.x
  const y = wayY / half.y
  const z = wayZ / half.z
  const a = x * x + y * y + z * z
  const b = fromX * x + fromY * y + fromZ * z
  const root = b * b - a * (fromX * fromX + fromY * fromY + fromZ * fromZ - 1)
  const at = (-b - Math.sqrt(root)) / a
  return root >= 0 && at > 0 ? at : Infinity
}
