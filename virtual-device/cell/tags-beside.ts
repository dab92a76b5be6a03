import { composed, identity, type Pose } from '../../lib/robotics/pose'
import type { CellSettings } from './cell-settings'

/** A tag beside the grid; the pose is that of its centre, x to its right, y down, z into it. */
export interface CellTag {
  id: string
  kind: 'april' | 'qr'
  /** Edge length, metres. */
  size: number
  pose: Pose
}

/** In a row below the grid, from left to right. */
export function tagsBeside(
  grid: Pose,
  { tags, grid_width, grid_height }: Pick<CellSettings, 'tags' | 'grid_width' | 'grid_height'>,
): CellTag[] {
  return tags.map(({ id, size, kind = 'april' }, index) => ({
    id,
    kind,
    size,
    pose: composed(grid, {
      position: {
        x: grid_width * ((index + 0.5) / tags.length - 0.5),
        y: grid_height / 2 + 0.01 + size / 2,
        z: 0,
      },
      orientation: identity().orientation,
    }),
  }))
}
