import { answerWithinRow, type Field, stepRow, turnRow, workspaceRow } from '../../shared/fields/description'

const isDriven = 'drive=robot|flow'
/** With sightings: the poses of the plan are chosen by what they improve. */
const isPlanned = `${isDriven}&sightings=picture|april|qr`
const isAnswered = `${isDriven}&sightings=answers`

/** A length that may stay empty. */
const lengthRow = {
  kind: 'number',
  default: '',
  most: 10000,
  unit: 'mm',
  optional: true,
  section: 'plan',
  when: isDriven,
  placeholder: true,
} as const
const sightRow = { ...lengthRow, when: isPlanned } as const

/** What a robot that drives itself needs besides camera and grid. */
export const driveFields = {
  /** What says where the grid is: our own picture, a tag beside it; or the device only says whether it sees it. */
  sightings: {
    kind: 'choice',
    default: 'picture',
    choices: ['picture', 'april', 'qr', 'answers'],
    icon: 'eye',
    when: isDriven,
    hint: {
      sightPicture: `${isDriven}&sightings=picture`,
      sightTag: `${isDriven}&sightings=april|qr`,
      sightAnswers: isAnswered,
    },
  },
  /** Id of the tag beside the grid. */
  tag: {
    kind: 'text',
    default: '',
    icon: 'qrcode',
    when: `${isDriven}&sightings=april|qr`,
    neededWhen: `${isDriven}&sightings=april|qr`,
    placeholder: '36h11_0',
  },
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
    hint: { wantedDegrees: isPlanned, wantedByDevice: isAnswered },
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
  confirmWithin: { ...answerWithinRow, section: 'plan', when: isDriven },
  /** Seconds within which the robot of a flow arrives. */
  arriveWithin: { ...answerWithinRow, section: 'plan', when: 'drive=flow' },
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
    when: `${isDriven}&sightings=picture`,
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
    when: isPlanned,
  },
  /** From the camera to the grid, mm; empty depends on the start pose. */
  nearest: { ...sightRow, least: 10, icon: 'compress' },
  farthest: { ...sightRow, least: 10, icon: 'expand', hint: true },
  /** Least height in the robot's base, mm; empty: none. */
  floor: { ...lengthRow, least: -10000, icon: 'minus' },
  /** Greatest distance of the flange from the robot's base, mm; empty: none. */
  reach: { ...lengthRow, least: 50, icon: 'arrows-alt', hint: true },
  /** Longest step, mm; that of a robot of this Node-RED is in its own settings. */
  step: { ...stepRow, least: 5, section: 'plan', when: 'drive=flow' },
  turn: { ...turnRow, section: 'plan', when: 'drive=flow' },
  /** Three ranges in mm in the base of the robot; empty: anywhere. */
  box: { ...workspaceRow, placeholder: '200..800, -500..500, 50..700', section: 'plan', when: 'drive=flow' },
} as const satisfies Readonly<Record<string, Field>>
