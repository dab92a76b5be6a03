import { dataUrlOf, pngOf } from '../../lib/images'
import { cornersOf, gridPattern, type GridPattern } from '../../lib/images/grid'
import { overlayOf, pixelOf, svgDataUrl } from '../../lib/overlay'
import { composed } from '../../lib/robotics'
import type { GridView } from '../hand-eye-calibration/drive/driving'
import { handEyeCalibrationNode, type HandEyeCalibrationFields } from '../hand-eye-calibration/fields'
import { setupOf } from '../hand-eye-calibration/session'
import { numberOf } from '../shared/fields/checked-fields'

/** The latest picture with the corners of the recognised grid: the address of an image. @throws RangeError for an odd picture */
export async function viewOf({ picture, grid, mark }: GridView, pattern: GridPattern): Promise<string> {
  const { width, height, focalLength, principalPoint } = picture
  const camera = { width, height, focalLength, principalPoint: { ...principalPoint } }
  const corners = grid
    ? cornersOf(pattern).flatMap(({ x, y }) => {
        const corner = composed(grid, {
          position: { x, y, z: 0 },
          orientation: { w: 1, x: 0, y: 0, z: 0 },
        })
        return pixelOf(camera, corner.position) ?? []
      })
    : []
  const png = dataUrlOf(await pngOf(picture))
  const pose = mark && { position: mark, orientation: { w: 1, x: 0, y: 0, z: 0 } }
  const answer = pose ? { grasps: [{ pose, pose_frame: 'camera' }] } : {}
  return svgDataUrl(overlayOf(answer, camera, { grid: corners, picture: png }).svg)
}

/** The printed grid of a calibration. @throws INVALID_INPUT; RangeError for a grid that cannot be looked for */
export function patternOf(fields: HandEyeCalibrationFields): GridPattern {
  const { grid_width, grid_height } = setupOf(fields).parameters
  const rows = numberOf(handEyeCalibrationNode, fields, 'gridRows')
  return gridPattern(Number(grid_width), Number(grid_height), rows)
}
