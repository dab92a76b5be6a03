import { layoutOf, type Pixels } from './pixels'

/** Cells of the grid in which pictures are compared. */
const [columns, rows] = [32, 24]
/** Pixels looked at in each direction of a cell: their mean has little noise. */
const perCell = 8
/** A cell counts as changed if its mean differs by more than this part of it, and by more than `least` steps. */
const part = 0.04
const least = 2

/** Mean values of the cells of a picture. */
export type PictureGrid = Float64Array

/**
 * The mean brightness of a picture in a grid of 32 by 24 cells; some ten thousand pixels are read, whatever its size.
 * @throws RangeError for an unknown encoding, and for data that is shorter than its rows
 */
export function gridOf(pixels: Pixels): PictureGrid {
  const { size, step, encoding } = layoutOf(pixels)
  const { width, height, data } = pixels
  const valueAt = (column: number, row: number): number => {
    const at = row * step + column * size
    if (encoding === 'mono8') return data[at] ?? 0
    if (encoding === 'mono16') return (data[at] ?? 0) + 256 * (data[at + 1] ?? 0)
    return ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3
  }
  const grid = new Float64Array(columns * rows)
  const [across, down] = [columns * perCell, rows * perCell]
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) {
      const cell = Math.floor(y / perCell) * columns + Math.floor(x / perCell)
      const value = valueAt(Math.floor(((x + 0.5) * width) / across), Math.floor(((y + 0.5) * height) / down))
      grid[cell] = (grid[cell] ?? 0) + value / perCell ** 2
    }
  return grid
}

/** The part of a picture, 0 to 1, that has changed more than by noise. */
export function changedPart(before: PictureGrid, after: PictureGrid): number {
  const changed = after.filter((value, cell) => {
    const old = before[cell] ?? 0
    return Math.abs(value - old) > Math.max(least, part * Math.max(value, old))
  })
  return changed.length / after.length
}
