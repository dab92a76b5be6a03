import { Cells } from './cells'
import { GrowingCloud, type Cloud } from './cloud'

/** Points in one step of work, below a millisecond. */
const stepPoints = 1 << 11

/** Keeps as many points as asked for, spread evenly over the order of the cloud. */
export function* evenly(cloud: Cloud, most: number) {
  const kept = new GrowingCloud(propertiesOf(cloud), Math.max(1, most))
  for (let index = 0; index < most; index++) {
    if (index % stepPoints === 0) yield
    copyPoint(cloud, Math.floor((index * cloud.count) / most), kept)
  }
  return kept.cloud()
}

/**
 * Keeps the mean of the points in each cube of a grid.
 * @param edge of a cube, metres; the grid reaches 65536 cubes to each side of the origin, what lies beyond is left out
 */
export function* onePerCell(cloud: Cloud, edge: number) {
  const { count, positions } = cloud
  const cells = new Cells(edge, count)
  const sums = new Sums()
  for (let index = 0; index < count; index++) {
    if (index % stepPoints === 0) yield
    const at = 3 * index
    const cell = cells.numberAt(positions[at] ?? NaN, positions[at + 1] ?? NaN, positions[at + 2] ?? NaN)
    if (cell !== undefined) sums.add(cell, cloud, at)
  }
  const kept = new GrowingCloud(propertiesOf(cloud), Math.max(1, cells.count))
  for (let cell = 0; cell < cells.count; cell++) {
    if (cell % stepPoints === 0) yield
    sums.mean(cell, kept)
  }
  return kept.cloud()
}

const propertiesOf = ({ colours, normals }: Cloud) => ({
  colours: colours !== undefined,
  normals: normals !== undefined,
})

function copyPoint({ positions, colours, normals }: Cloud, index: number, to: GrowingCloud): void {
  const at = 3 * index
  to.add(positions[at] ?? 0, positions[at + 1] ?? 0, positions[at + 2] ?? 0)
  if (colours) to.colour(colours[at] ?? 0, colours[at + 1] ?? 0, colours[at + 2] ?? 0)
  if (normals) to.normal(normals[at] ?? 0, normals[at + 1] ?? 0, normals[at + 2] ?? 0)
}

/** Numbers of a cell: the count of its points, then three sums each of positions, colours and normals. */
const width = 10

/** Sums of the points in each cell. */
class Sums {
  #values = new Float64Array(width << 10)

  add(cell: number, { positions, colours, normals }: Cloud, point: number): void {
    const at = width * cell
    if (at >= this.#values.length) {
      const larger = new Float64Array(2 * this.#values.length)
      larger.set(this.#values)
      this.#values = larger
    }
    const sums = this.#values
    sums[at] = (sums[at] ?? 0) + 1
    for (let axis = 0; axis < 3; axis++) {
      sums[at + 1 + axis] = (sums[at + 1 + axis] ?? 0) + (positions[point + axis] ?? 0)
      sums[at + 4 + axis] = (sums[at + 4 + axis] ?? 0) + (colours?.[point + axis] ?? 0)
      sums[at + 7 + axis] = (sums[at + 7 + axis] ?? 0) + (normals?.[point + axis] ?? 0)
    }
  }

  mean(cell: number, to: GrowingCloud): void {
    const [n = 1, x = 0, y = 0, z = 0, red = 0, green = 0, blue = 0, nx = 0, ny = 0, nz = 0] =
      this.#values.subarray(width * cell, width * (cell + 1))
    to.add(x / n, y / n, z / n)
    to.colour(Math.round(red / n), Math.round(green / n), Math.round(blue / n))
    const length = Math.hypot(nx, ny, nz)
    if (length > 0) to.normal(nx / length, ny / length, nz / length)
  }
}
