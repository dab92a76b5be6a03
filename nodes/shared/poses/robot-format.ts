import type { ConversionOptions, LengthUnit, PoseFormat, PoseFormatId } from '../../../lib/robotics'
import { poseFormats } from '../../../lib/robotics/pose-formats'
import { invalidInput } from '../sentences'

/** How a robot writes poses: the maker's format, and the unit of positions. */
export interface RobotFormat extends Required<ConversionOptions> {
  format: PoseFormat
}

/** The unit of a format as stored by the dialogs; empty is the maker's own. */
export type UnitField = '' | LengthUnit

/**
 * @param field the field with the format, for the error
 * @throws INVALID_INPUT for an unknown format, as in a hand-written flow
 */
export function robotFormat(field: string, id: PoseFormatId, unit: UnitField): RobotFormat {
  const format = poseFormats.find((each) => each.id === id)
  if (format) return { format, length: unit || format.length }
  const known = poseFormats.map((each) => each.id).join(', ')
  throw invalidInput('pose-format', { field, value: id, known })
}
