import { customPattern, lengthUnits, poseFormatChoices } from '../../../lib/robotics/pose-formats'

/** How poses are written. */
export const poseFormatRow = {
  kind: 'choice',
  default: 'kuka',
  choices: poseFormatChoices,
  labels: { key: 'format', node: 'robot-pose' },
  icon: 'cube',
} as const

/** What describes a format of one's own; shown and needed while the format is `custom`. */
export const customFormatRow = {
  kind: 'text',
  default: '',
  pattern: customPattern,
  placeholder: 'zyx moving deg mm',
  icon: 'pencil',
  hint: true,
} as const

/** Unit of positions; empty is the format's own. */
export const lengthUnitRow = {
  kind: 'choice',
  default: '',
  choices: ['', ...lengthUnits],
  labels: { key: 'unit', node: 'robot-pose' },
  icon: 'arrows-h',
} as const

const range = '-?\\d+(?:\\.\\d+)? *\\.\\. *-?\\d+(?:\\.\\d+)?'

/** Three ranges in mm in the base of the robot; empty: anywhere. */
export const workspaceRow = {
  kind: 'text',
  default: '',
  pattern: `^(?:${range} *, *${range} *, *${range})?$`,
  icon: 'cube',
  hint: true,
} as const
