/** Neighbours that differ by more than this part of their distance belong to another surface. */
const jump = 0.02

/** x, y, z of a point; x is NaN where nothing was measured. */
export type PointOf = (column: number, row: number, to: Float64Array) => void

/**
 * Calculates normals from the neighbours of a pixel, in the camera frame, towards the camera; three zeros where a
 * neighbour in one of the two directions is missing or belongs to another surface.
 * @param pointOf reads a point, also outside the picture
 */
export function normals(pointOf: PointOf) {
  const [own, before, after] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)]
  const [across, down] = [new Float64Array(3), new Float64Array(3)]

  const isNear = (point: Float64Array) =>
    Math.abs((point[2] ?? NaN) - (own[2] ?? NaN)) <= jump * (own[2] ?? NaN)

  /** @returns false if there is no neighbour on either side */
  const slope = (column: number, row: number, x: number, y: number, to: Float64Array): boolean => {
    pointOf(column - x, row - y, before)
    pointOf(column + x, row + y, after)
    const from = isNear(before) ? before : own
    const until = isNear(after) ? after : own
    if (from === until) return false
    for (let part = 0; part < 3; part++) to[part] = (until[part] ?? 0) - (from[part] ?? 0)
    return true
  }

  return (column: number, row: number, to: Float64Array): void => {
    to.fill(0)
    pointOf(column, row, own)
    if (!slope(column, row, 1, 0, across) || !slope(column, row, 0, 1, down)) return
    const [ax = 0, ay = 0, az = 0] = across
    const [dx = 0, dy = 0, dz = 0] = down
    // Down times across points to the camera, because y goes down and z away from it.
    const [x, y, z] = [dy * az - dz * ay, dz * ax - dx * az, dx * ay - dy * ax]
    const length = Math.hypot(x, y, z)
    if (!(length > 0)) return
    to[0] = x / length
    to[1] = y / length
    to[2] = z / length
  }
}
