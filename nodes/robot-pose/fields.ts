import type { PoseFormatId } from '../../lib/robotics'
import type { FieldKind } from '../shared/field-kind'
import type { UnitField } from '../shared/poses/robot-format'
import type { PoseShape } from '../shared/poses/shaped-pose'

/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const robotPoseFields = {
  name: '',
  pose: 'payload',
  poseType: 'msg' as FieldKind,
  /** One pose, or a list of them. */
  which: 'one' as 'one' | 'list',
  from: 'kuka' as PoseFormatId,
  /** Unit of positions; empty is the format's own. */
  fromUnit: '' as UnitField,
  to: 'device' as PoseFormatId,
  toUnit: '' as UnitField,
  shape: 'object' as PoseShape,
  /** Which doubtful poses are refused: the impossible, every doubtful one, or none. */
  refuse: 'impossible' as 'impossible' | 'doubtful' | 'none',
  /** Of the message that leaves. */
  property: 'payload',
}
export type RobotPoseFields = typeof robotPoseFields
