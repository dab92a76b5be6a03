import type {
  ConversionOptions,
  LengthUnit,
  PoseFormat,
  PoseFormatId,
  PoseFormatName,
} from '../../../lib/robotics'
import { customFormat, customPrefix, poseFormats } from '../../../lib/robotics/pose-formats'
import { invalidInput } from '../sentences'

/** How a robot writes poses: the maker's format, and the unit of positions. */
export interface RobotFormat extends Required<ConversionOptions> {
  format: PoseFormat
}

/** The unit of a format as stored by the dialogs; empty is the maker's own. */
export type UnitField = '' | LengthUnit

/**
 * @param field the field with the format, for the error
 * @param id of the list, or `custom`
 * @param words what describes a custom format
 * @throws INVALID_INPUT for an unknown format, as in a hand-written flow, and for words that describe none
 */
export function robotFormat(
  field: string,
  id: PoseFormatId | 'custom',
  unit: UnitField,
  words = '',
): RobotFormat {
  const format = id === 'custom' ? customFormat(words) : poseFormats.find((each) => each.id === id)
  if (format) return { format, length: unit || format.length }
  if (id === 'custom') throw invalidInput('pose-words', { value: words })
  const known = [...poseFormats.map((each) => each.id), 'custom'].join(', ')
  throw invalidInput('pose-format', { field, value: id, known })
}

/** The id of the format that a dialog has stored. @throws INVALID_INPUT for words that describe none */
export function poseFormatName(id: PoseFormatId | 'custom', words: string): PoseFormatName {
  if (id !== 'custom') return id
  if (!customFormat(words)) throw invalidInput('pose-words', { value: words })
  return `${customPrefix}${words}` as PoseFormatName
}
