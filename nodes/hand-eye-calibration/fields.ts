import type { Axis, LengthUnit, PoseFormatId } from '../../lib/robotics'
import type { FieldKind } from '../shared/field-kind'
import type { UnitField } from '../shared/poses/robot-format'

/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const handEyeCalibrationFields = {
  name: '',
  /** Id of a `vision-device-config` node. */
  device: '',
  command: 'topic',
  commandType: 'msg' as FieldKind,
  /** A pose, a list of them, or what a check compares. */
  pose: 'payload',
  poseType: 'msg' as FieldKind,
  format: 'kuka' as PoseFormatId,
  /** Unit of positions; empty is the format's own. */
  unit: '' as UnitField,
  /** Where the camera is: on the robot's flange, or fixed beside it. */
  mounting: 'robot' as 'robot' | 'fixed',
  gridWidth: '' as string | number,
  gridHeight: '' as string | number,
  gridUnit: 'mm' as LengthUnit,
  /** From the flange to the middle of the grid along the flange's Z at the first pose, mm; empty takes a usual one. */
  gridDistance: '' as string | number,
  /** Four: a robot whose flange turns about one axis only, such as a SCARA or a palletiser. */
  axes: 'six' as 'six' | 'four',
  axis: 'z' as Axis,
  /** Along the axis, from the flange to the camera or to the grid, mm. */
  offset: 0 as string | number,
  /** Seconds from the message until the image. */
  settling: 0.5 as string | number,
  /** Whether the poses of a list wait for the robot, or are recorded at once. */
  list: 'robot' as 'robot' | 'now',
  /** A result is good within these, mm and degrees. */
  limitMillimetres: 1 as string | number,
  limitDegrees: 0.2 as string | number,
  /** Save a good result by itself, or wait for a message. */
  save: 'good' as 'good' | 'ask',
  /** A check is passed within this, mm. */
  limitCheck: 2 as string | number,
  pipeline: '0',
  pipelineType: 'str' as FieldKind,
  node: 'dev_hand_eye_calibration',
  nodeType: 'str' as FieldKind,
  /** Seconds. */
  deadline: 30 as string | number,
}
export type HandEyeCalibrationFields = typeof handEyeCalibrationFields
