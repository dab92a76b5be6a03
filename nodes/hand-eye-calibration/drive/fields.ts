import type { Field } from '../../shared/fields/description'

const isDriven = 'drive=robot|flow'
const range = '-?\\d+(?:\\.\\d+)? *\\.\\. *-?\\d+(?:\\.\\d+)?'

/** What a robot that drives itself needs besides camera and grid. */
export const driveFields = {
  /** The plan ends when the result is this accurate with a probability of 95 %, mm and degrees. */
  wantedMillimetres: {
    kind: 'number',
    default: 1,
    least: 0.05,
    most: 100,
    unit: 'mm',
    icon: 'bullseye',
    when: isDriven,
  },
  wantedDegrees: {
    kind: 'number',
    default: 0.1,
    least: 0.005,
    most: 10,
    unit: '°',
    icon: 'bullseye',
    when: isDriven,
    hint: true,
  },
  /** Which movements a person confirms. */
  confirm: {
    kind: 'choice',
    default: 'each',
    choices: ['each', 'first', 'none'],
    icon: 'hand-paper-o',
    when: isDriven,
    hint: { confirmFirst: `${isDriven}&confirm=first`, confirmNone: `${isDriven}&confirm=none` },
  },
  /** Seconds within which a person confirms. */
  confirmWithin: {
    kind: 'number',
    default: 120,
    least: 1,
    most: 3600,
    unit: 's',
    icon: 'clock-o',
    section: 'plan',
    when: isDriven,
  },
  /** Seconds within which the robot of a flow arrives. */
  arriveWithin: {
    kind: 'number',
    default: 120,
    least: 1,
    most: 3600,
    unit: 's',
    icon: 'clock-o',
    section: 'plan',
    when: 'drive=flow',
  },
  /** Rows of squares of the printed checkerboard. */
  gridRows: {
    kind: 'number',
    default: 9,
    least: 4,
    most: 60,
    whole: true,
    unit: '1',
    icon: 'th',
    section: 'plan',
    when: isDriven,
    hint: true,
  },
  /** Largest angle between the line of sight and the grid's normal. */
  tilt: {
    kind: 'number',
    default: 40,
    least: 5,
    most: 70,
    unit: '°',
    icon: 'angle-up',
    section: 'plan',
    when: isDriven,
  },
  /** Largest rotation of the hand from the start pose. */
  cone: {
    kind: 'number',
    default: 100,
    least: 5,
    most: 180,
    unit: '°',
    icon: 'rotate-right',
    section: 'plan',
    when: isDriven,
  },
  /** From the camera to the grid, mm; empty depends on the start pose. */
  nearest: {
    kind: 'number',
    default: '',
    least: 10,
    most: 10000,
    unit: 'mm',
    optional: true,
    icon: 'compress',
    section: 'plan',
    when: isDriven,
    placeholder: true,
  },
  farthest: {
    kind: 'number',
    default: '',
    least: 10,
    most: 10000,
    unit: 'mm',
    optional: true,
    icon: 'expand',
    section: 'plan',
    when: isDriven,
    placeholder: true,
    hint: true,
  },
  /** Least height in the robot's base, mm; empty: none. */
  floor: {
    kind: 'number',
    default: '',
    least: -10000,
    most: 10000,
    unit: 'mm',
    optional: true,
    icon: 'minus',
    section: 'plan',
    when: isDriven,
    placeholder: true,
  },
  /** Greatest distance of the flange from the robot's base, mm; empty: none. */
  reach: {
    kind: 'number',
    default: '',
    least: 50,
    most: 10000,
    unit: 'mm',
    optional: true,
    icon: 'arrows-alt',
    section: 'plan',
    when: isDriven,
    placeholder: true,
    hint: true,
  },
  /** Longest step, mm; that of a robot of this Node-RED is in its own settings. */
  step: {
    kind: 'number',
    default: 300,
    least: 5,
    most: 3000,
    unit: 'mm',
    icon: 'arrows-h',
    section: 'plan',
    when: 'drive=flow',
  },
  turn: {
    kind: 'number',
    default: 40,
    least: 1,
    most: 180,
    unit: '°',
    icon: 'rotate-right',
    section: 'plan',
    when: 'drive=flow',
  },
  /** Three ranges in mm in the base of the robot; empty: anywhere. */
  box: {
    kind: 'text',
    default: '',
    pattern: `^(?:${range} *, *${range} *, *${range})?$`,
    placeholder: '200..800, -500..500, 50..700',
    icon: 'cube',
    section: 'plan',
    when: 'drive=flow',
    hint: true,
  },
} as const satisfies Readonly<Record<string, Field>>
