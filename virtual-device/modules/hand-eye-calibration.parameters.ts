import { bool, float64, int32, text, type ParameterDefinition } from '../parameter'

const gridSize = [0, 10] as const
export const handEyeParameters: readonly ParameterDefinition[] = [
  float64('grid_width', 0, gridSize, 'Width of the calibration grid', { unit: 'm' }),
  float64('grid_height', 0, gridSize, 'Height of the calibration grid', { unit: 'm' }),
  bool('robot_mounted', true, 'True: the camera is on the robot; false: it is fixed'),
  text('tag_ids', '', 'Ids of AprilTags to be located along, separated by commas'),
  float64('tcp_offset', 0, [-10, 10], 'For 4-DOF robots: signed offset along the rotation axis', {
    unit: 'm',
  }),
  int32('tcp_rotation_axis', -1, [-1, 2], 'For 4-DOF robots: 0 is x, 1 is y, 2 is z; -1 for all others'),
]
