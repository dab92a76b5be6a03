/** Longest distance of one movement. */
export const stepRow = {
  kind: 'number',
  default: 300,
  most: 3000,
  unit: 'mm',
  icon: 'arrows-h',
} as const

/** Largest turn of one movement. */
export const turnRow = {
  kind: 'number',
  default: 40,
  least: 1,
  most: 180,
  unit: '°',
  icon: 'rotate-right',
} as const

/** Time that a person, or a robot, has for an answer. */
export const answerWithinRow = {
  kind: 'number',
  default: 120,
  least: 1,
  most: 3600,
  unit: 's',
  icon: 'clock-o',
} as const
