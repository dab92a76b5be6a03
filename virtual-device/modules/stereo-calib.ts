import { cameraCalibration } from '../cell/camera-calibration'
import type { Environment, Module } from '../module'
import { bool, float64 } from '../parameter'

/** Our choice, as in hand-eye calibration: the sources give no limits. */
const gridSize = [0, 10] as const

/**
 * The wizard of the camera calibration: internal to the device, and at rest unless somebody steps it. Its second step
 * recalibrates the camera.
 */
export function stereoCalib({ ofPipeline }: Environment): Module {
  const { renewed } = ofPipeline(cameraCalibration)
  let calibrating = false
  return {
    name: 'stereocalib',
    scope: 'pipeline',
    license: 'calibration',
    parameters: [
      float64('grid_width', 0, gridSize, 'Width of the calibration grid', { unit: 'm' }),
      float64('grid_height', 0, gridSize, 'Height of the calibration grid', { unit: 'm' }),
      bool('snap', false, 'Take a calibration snapshot'),
    ],
    services: {
      change_state: {
        description:
          'Steps the internal calibration wizard: begins, then ends with a new calibration of the camera.',
        args: {},
        response: {},
        call: () => {
          calibrating = !calibrating
          if (!calibrating) renewed()
          return {}
        },
      },
    },
    atRest: () => !calibrating,
  }
}
