import type { Pose } from '../../lib/robotics'

/** Three rows of three. */
export type Matrix = readonly (readonly number[])[]

const { cos, sin, sqrt, PI } = Math

/** The matrices as any textbook prints them, written out: nothing here comes from the library that it judges. */
const about: Readonly<Record<string, (angle: number) => Matrix>> = {
  x: (a) => [
    [1, 0, 0],
    [0, cos(a), -sin(a)],
    [0, sin(a), cos(a)],
  ],
  y: (a) => [
    [cos(a), 0, sin(a)],
    [0, 1, 0],
    [-sin(a), 0, cos(a)],
  ],
  z: (a) => [
    [cos(a), -sin(a), 0],
    [sin(a), cos(a), 0],
    [0, 0, 1],
  ],
}

const times = (one: Matrix, other: Matrix): Matrix =>
  one.map((row) =>
    [0, 1, 2].map((column) => row.reduce((sum, a, k) => sum + a * (other[k]?.[column] ?? NaN), 0)),
  )

/** R = first · second · third, each about a moving axis, or about fixed axes in the opposite order. */
export const ofTurns = (axes: string, angles: readonly number[], per = PI / 180): Matrix =>
  Array.from(axes)
    .map((axis, index) => about[axis]?.((angles[index] ?? NaN) * per) ?? [])
    .reduce((product, each) => times(product, each))

/** Rodrigues' formula. */
export function ofAxisTimesAngle([x = NaN, y = NaN, z = NaN]: readonly number[], per = 1): Matrix {
  const angle = sqrt(x * x + y * y + z * z) * per
  if (angle === 0) return ofTurns('x', [0])
  const [a, b, c] = [(x * per) / angle, (y * per) / angle, (z * per) / angle]
  const v = 1 - cos(angle)
  return [
    [a * a * v + cos(angle), a * b * v - c * sin(angle), a * c * v + b * sin(angle)],
    [a * b * v + c * sin(angle), b * b * v + cos(angle), b * c * v - a * sin(angle)],
    [a * c * v - b * sin(angle), b * c * v + a * sin(angle), c * c * v + cos(angle)],
  ]
}

/** @param order the components in the order in which they are written, such as `wxyz` */
export function ofQuaternion(order: string, parts: readonly number[]): Matrix {
  const part = (name: string) => parts[order.indexOf(name)] ?? NaN
  const [w, x, y, z] = [part('w'), part('x'), part('y'), part('z')]
  return [
    [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
  ]
}

/** @param columns sixteen numbers, column by column */
export const ofColumns = (columns: readonly number[]): Matrix =>
  [0, 1, 2].map((row) => [0, 1, 2].map((column) => columns[4 * column + row] ?? NaN))

/** The rotation of a pose of the library. */
export const ofPose = ({ orientation: { w, x, y, z } }: Pose): Matrix => ofQuaternion('wxyz', [w, x, y, z])

/** The largest difference of two matrices in any element. */
export const farthest = (one: Matrix, other: Matrix): number =>
  Math.max(...one.flatMap((row, r) => row.map((value, c) => Math.abs(value - (other[r]?.[c] ?? NaN)))))
