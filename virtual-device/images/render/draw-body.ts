import type { Vector } from '../../../lib/robotics/pose'
import type { Body } from '../stage/stage'
import { cornersOfBox, placed, windowOf, type Eye } from './placed'
import type { Canvas } from './canvas'

/** Grains per metre of the texture on every body. */
const grains = 250
/** Share by which a grain differs from its body. */
const contrast = 0.3
/** Share of the light that comes from everywhere. */
const ambient = 0.35
/** Direction to the lamp: beside the camera. In the camera's frame, of unit length. */
const lamp = { x: -0.35, y: -0.45, z: -0.8216 }

/** Draws a body where it is nearer than what is there. */
export function drawBody(image: Canvas, body: Body, eye: Eye): void {
  const { lens, depth, light } = image
  const { left, right: end, top, bottom } = windowOf(cornersOfBox(body.pose, body.half), eye, lens)
  const { from, right, down, ahead } = placed(body.pose, eye)
  const { half } = body
  const hit = body.shape === 'box' ? toBox : toEllipsoid
  const toLamp = turned({ right, down, ahead }, lamp)
  const way = { x: 0, y: 0, z: 0 }
  for (let row = top; row < bottom; row++) {
    const y = (row - lens.v) / lens.focal
    for (let column = left; column < end; column++) {
      const x = (column - lens.u) / lens.focal
      way.x = right.x * x + down.x * y + ahead.x
      way.y = right.y * x + down.y * y + ahead.y
      way.z = right.z * x + down.z * y + ahead.z
      const at = hit(from, way, half)
      const index = row * lens.width + column
      if (!(at < (depth[index] as number))) continue
      depth[index] = at
      light[index] = lightAt(body, from, way, at, toLamp)
    }
  }
}

const turned = (axes: { right: Vector; down: Vector; ahead: Vector }, { x, y, z }: Vector): Vector => ({
  x: axes.right.x * x + axes.down.x * y + axes.ahead.x * z,
  y: axes.right.y * x + axes.down.y * y + axes.ahead.y * z,
  z: axes.right.z * x + axes.down.z * y + axes.ahead.z * z,
})

function lightAt(body: Body, from: Vector, way: Vector, at: number, toLamp: Vector): number {
  const x = from.x + at * way.x
  const y = from.y + at * way.y
  const z = from.z + at * way.z
  const { half, shape, albedo } = body
  let facing: number
  if (shape === 'box') {
    // The face that was hit is the one nearest to its plane.
    const [outX, outY, outZ] = [Math.abs(x) / half.x, Math.abs(y) / half.y, Math.abs(z) / half.z]
    if (outX >= outY && outX >= outZ) facing = toLamp.x * Math.sign(x)
    else facing = outY >= outZ ? toLamp.y * Math.sign(y) : toLamp.z * Math.sign(z)
  } else {
    const [nx, ny, nz] = [x / half.x ** 2, y / half.y ** 2, z / half.z ** 2]
    facing = (nx * toLamp.x + ny * toLamp.y + nz * toLamp.z) / Math.hypot(nx, ny, nz)
  }
  const shade = ambient + (1 - ambient) * Math.max(0, facing)
  return 255 * albedo * shade * (1 + contrast * (grain(x, y, z) - 0.5))
}

/** 0 to 1, the same for all points of a grain. */
function grain(x: number, y: number, z: number): number {
  // Half a grain aside, so that a face is not a border between grains.
  let mixed =
    Math.imul(Math.floor(x * grains + 0.5), 0x9e3779b1) ^
    Math.imul(Math.floor(y * grains + 0.5), 0x85ebca6b) ^
    Math.imul(Math.floor(z * grains + 0.5), 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296
}

function toBox(from: Vector, way: Vector, half: Vector): number {
  const x1 = (-half.x - from.x) / way.x
  const x2 = (half.x - from.x) / way.x
  const y1 = (-half.y - from.y) / way.y
  const y2 = (half.y - from.y) / way.y
  const z1 = (-half.z - from.z) / way.z
  const z2 = (half.z - from.z) / way.z
  const enters = Math.max(Math.min(x1, x2), Math.min(y1, y2), Math.min(z1, z2))
  const leaves = Math.min(Math.max(x1, x2), Math.max(y1, y2), Math.max(z1, z2))
  return enters <= leaves && enters > 0 ? enters : Infinity
}

function toEllipsoid(from: Vector, way: Vector, half: Vector): number {
  // In units of half its diameters, an ellipsoid is a sphere.
  const [fx, fy, fz] = [from.x / half.x, from.y / half.y, from.z / half.z]
  const [wx, wy, wz] = [way.x / half.x, way.y / half.y, way.z / half.z]
  const a = wx * wx + wy * wy + wz * wz
  const b = fx * wx + fy * wy + fz * wz
  const root = b * b - a * (fx * fx + fy * fy + fz * fz - 1)
  const at = (-b - Math.sqrt(root)) / a
  return root >= 0 && at > 0 ? at : Infinity
}
