import { composed, type Pose } from '../pose'
import type { PlanSettings } from './settings'

/** What is known of grid and camera without the robot. */
type Seeing = Pick<PlanSettings, 'camera' | 'grid' | 'limits'>

/**
 * How far the grid may move sideways before a corner reaches the margin of the picture, metres; negative if one is
 * beyond it.
 *
 * @param seen the centre of the grid in the camera's frame
 */
export function slackOf({ camera, grid, limits }: Seeing, seen: Pose): number {
  const { focalLength, centre, width, height } = camera
  const margin = limits.margin * width
  const slacks = [-1, 1].flatMap((across) =>
    [-1, 1].map((down) => {
      const corner = { x: (across * grid.width) / 2, y: (down * grid.height) / 2, z: 0 }
      const { x, y, z } = composed(seen, { position: corner, orientation: noTurn }).position
      if (!(z > 0)) return -Infinity
      const [u, v] = [centre.x + (focalLength * x) / z, centre.y + (focalLength * y) / z]
      const pixels = Math.min(u, v, width - u, height - v) - margin
      return (pixels * z) / focalLength
    }),
  )
  return Math.min(...slacks)
}

const noTurn = { w: 1, x: 0, y: 0, z: 0 }
