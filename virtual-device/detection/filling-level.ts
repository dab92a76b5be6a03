import type { Vector } from '../../lib/robotics/pose'
import { pointIn } from './frames'
import type { FoundLoadCarrier } from './load-carriers'
import type { Scene } from './scene'
import { bottomOf, caster, solidsOf } from './solids'
import { axisOf, scaled } from './vectors'

export interface CellCount {
  x: number
  y: number
}

/** The filling level of a part of a load carrier. Its frame is that of the load carrier; metres. */
export interface FillingLevel {
  /** The centre of the cell, at the height of its filling. */
  position: Vector
  size: CellCount
  /** Share of the cell that was measured. */
  coverage: number
  /** Height of the filling above the inner bottom. */
  heights: { min: number; mean: number; max: number }
}

/** Rays in each direction for a load carrier, and at least for a cell. */
const rays = { load_carrier: 24, cell: 3 }
/** The device reports coverage in this number of steps up to 1. */
const coverageSteps = 10
/** Height above the rim at which rays begin, metres. */
const above = 1

/**
 * Filling levels of the cells of a load carrier, row by row from the lowest x and y.
 * @param range nearest and farthest measurable depth, metres
 */
export function fillingLevels(
  { inner, outer, pose }: FoundLoadCarrier,
  cells: CellCount,
  scene: Scene,
  range: readonly [number, number],
): FillingLevel[] {
  const bottom = outer.z / 2 - inner.z
  // Seen from above, the walls are outside all cells.
  const cast = caster([bottomOf({ inner, outer, pose }), ...solidsOf({ ...scene, bin: undefined })])
  const down = scaled(axisOf(pose, 'z'), -1)
  const size = { x: inner.x / cells.x, y: inner.y / cells.y }

  const heightAt = (x: number, y: number): number | undefined => {
    const from = pointIn(pose, { x, y, z: outer.z / 2 + above })
    const way = cast(from, down)
    const z = from.z + way * down.z
    return z >= range[0] && z <= range[1] ? outer.z / 2 + above - way - bottom : undefined
  }

  const raysIn = (count: number) => Math.max(rays.cell, Math.ceil(rays.load_carrier / count))
  const across = raysIn(cells.x)
  const along = raysIn(cells.y)
  return Array.from({ length: cells.x * cells.y }, (_, index) => {
    const left = (index % cells.x) * size.x - inner.x / 2
    const front = Math.floor(index / cells.x) * size.y - inner.y / 2
    const heights = Array.from({ length: across * along }, (_, ray) =>
      heightAt(
        left + (((ray % across) + 0.5) / across) * size.x,
        front + ((Math.floor(ray / across) + 0.5) / along) * size.y,
      ),
    ).filter((height) => height !== undefined)
    const mean = heights.length ? heights.reduce((one, other) => one + other) / heights.length : 0
    return {
      position: { x: left + size.x / 2, y: front + size.y / 2, z: bottom + mean },
      size,
      coverage: Math.round((heights.length / (across * along)) * coverageSteps) / coverageSteps,
      heights: heights.length
        ? { min: Math.min(...heights), mean, max: Math.max(...heights) }
        : { min: 0, mean, max: 0 },
    }
  })
}
