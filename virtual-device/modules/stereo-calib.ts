import type { Module } from '../module'
import { bool, float64 } from '../parameter'

/** Our choice, as in hand-eye calibration: the sources give no limits. */
const gridSize = [0, 10] as const

/** The wizard of the camera calibration: internal to the device, and at rest unless somebody steps it. */
export const stereoCalib = (): Module => ({
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
      description: 'Steps the internal calibration wizard; does nothing here.',
      args: {},
      response: {},
      call: () => ({}),
    },
  },
  state: () => 'IDLE',
})
