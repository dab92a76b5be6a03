import { identity, type Pose } from '../../lib/robotics/pose'
import type { Calibration, HandEyeTag } from './hand-eye-shapes'
import { complete, type PartialArguments } from '../services/invalid-argument'

/** All fields of a calibration, for answers without one. */
export const noCalibration = (robot_mounted: boolean): Calibration => ({
  pose: identity(),
  robot_mounted,
  error: 0,
  translation_error_meter: 0,
  rotation_error_degree: 0,
  tags: [],
})

/** The calibration given to `set_calibration`. @throws InvalidArgument for an invalid orientation */
export const givenCalibration = ({ pose, robot_mounted, tags }: Record<string, unknown>): Calibration => ({
  ...noCalibration(robot_mounted === true),
  pose: complete(pose as Pose, 'pose'),
  tags: ((tags ?? []) as PartialArguments<HandEyeTag>[]).map(({ id = '', size = 0, pose }, index) => ({
    id,
    size,
    pose: complete(pose, `tags[${index}].pose`),
  })),
})
