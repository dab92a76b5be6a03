interface Quaternion {
  w: number
  x: number
  y: number
  z: number
}

const degree = Math.PI / 180

/** The rotation by these angles in degrees about fixed axes: first x, then y, then z. */
export function fromDegrees([x = 0, y = 0, z = 0]: readonly number[]): Quaternion {
  const [cx, cy, cz] = [x, y, z].map((angle) => Math.cos((angle * degree) / 2)) as [number, number, number]
  const [sx, sy, sz] = [x, y, z].map((angle) => Math.sin((angle * degree) / 2)) as [number, number, number]
  return {
    w: cx * cy * cz + sx * sy * sz,
    x: sx * cy * cz - cx * sy * sz,
    y: cx * sy * cz + sx * cy * sz,
    z: cx * cy * sz - sx * sy * cz,
  }
}

/** The angles of a rotation in degrees; at y = ±90, x and z are one of many solutions. */
export const toDegrees = ({ w = 0, x = 0, y = 0, z = 0 }: Partial<Quaternion>) => ({
  x: Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) / degree,
  y: Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))) / degree,
  z: Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) / degree,
})
