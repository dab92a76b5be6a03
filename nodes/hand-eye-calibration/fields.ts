import {
  customFormatRow,
  deviceField,
  lengthUnitRow,
  messageKinds,
  type NodeDescription,
  pipelineField,
  poseFormatRow,
  textKinds,
  answerWithinRow,
  type Field,
  stepRow,
  turnRow,
  workspaceRow,
} from '../shared/fields/description'
import { axes } from '../../lib/robotics/pose'
import { lengthUnits } from '../../lib/robotics/pose-formats'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/hand-eye-calibration.json'
import type en from './locales/en-US/hand-eye-calibration.json'

const isDriven = 'drive=robot|flow'

/** With sightings, the plan chooses the poses by their benefit. */
const isPlanned = `${isDriven}&sightings=picture|april|qr`

const isAnswered = `${isDriven}&sightings=answers`

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

const driveFields = {
  /** Where the grid is: own picture, tag beside it, or only the device's yes and no. */
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
  tag: {
    kind: 'text',
    default: '',
    icon: 'qrcode',
    when: `${isDriven}&sightings=april|qr`,
    neededWhen: `${isDriven}&sightings=april|qr`,
    placeholder: '36h11_0',
  },
  /** The plan ends at this accuracy with 95 % probability, mm and degrees. */
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
  confirm: {
    kind: 'choice',
    default: 'each',
    choices: ['each', 'first', 'none'],
    icon: 'hand-paper-o',
    when: isDriven,
    hint: { confirmFirst: `${isDriven}&confirm=first`, confirmNone: `${isDriven}&confirm=none` },
  },
  /** Seconds. */
  confirmWithin: { ...answerWithinRow, section: 'plan', when: isDriven },
  /** Seconds for the robot of a flow to arrive. */
  arriveWithin: { ...answerWithinRow, section: 'plan', when: 'drive=flow' },
  /** Squares of the printed checkerboard. */
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
  /** Between the line of sight and the grid's normal. */
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
  /** Of the flange, from the start pose. */
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
  /** Camera to grid, mm; empty depends on the start pose. */
  nearest: { ...sightRow, least: 10, icon: 'compress' },
  farthest: { ...sightRow, least: 10, icon: 'expand', hint: true },
  /** In the robot's base, mm; empty: none. */
  floor: { ...lengthRow, least: -10000, icon: 'minus' },
  /** Of the flange from the base, mm; empty: none. */
  reach: { ...lengthRow, least: 50, icon: 'arrows-alt', hint: true },
  /** Longest step, mm; a robot of this Node-RED has its own setting. */
  step: { ...stepRow, least: 5, section: 'plan', when: 'drive=flow' },
  turn: { ...turnRow, section: 'plan', when: 'drive=flow' },
  /** Ranges in mm in the robot's base; empty: anywhere. */
  box: { ...workspaceRow, placeholder: '200..800, -500..500, 50..700', section: 'plan', when: 'drive=flow' },
} as const satisfies Readonly<Record<string, Field>>

export const handEyeCalibrationNode = {
  type: 'hand-eye-calibration',
  group: 'calibrate',
  icon: 'vision-hand-eye.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['progress', 'result', 'move'],
  fields: {
    device: deviceField,
    /** Who chooses the poses, and who moves the robot. */
    drive: {
      kind: 'choice',
      default: 'messages',
      choices: ['messages', 'robot', 'flow'],
      icon: 'play',
      hint: { driveRobot: 'drive=robot', driveFlow: 'drive=flow' },
    },
    robot: { kind: 'config', of: 'vision-robot-config', icon: 'android', when: 'drive=robot' },
    format: { ...poseFormatRow, icon: 'android', when: 'drive=messages|flow' },
    formatCustom: {
      ...customFormatRow,
      when: 'drive=messages|flow&format=custom',
      neededWhen: 'drive=messages|flow&format=custom',
    },
    /** Empty: the format's own. */
    unit: { ...lengthUnitRow, when: 'drive=messages|flow' },
    /** Camera on the flange, or fixed. */
    mounting: { kind: 'choice', default: 'robot', choices: ['robot', 'fixed'], icon: 'video-camera' },
    gridUnit: {
      kind: 'choice',
      default: 'mm',
      choices: lengthUnits,
      labels: { key: 'unit', node: 'robot-pose' },
      icon: 'arrows-v',
    },
    gridWidth: {
      kind: 'number',
      default: '',
      least: 0.01,
      most: 10000,
      unit: '1',
      unitFrom: 'gridUnit',
      icon: 'th',
    },
    gridHeight: {
      kind: 'number',
      default: '',
      least: 0.01,
      most: 10000,
      unit: '1',
      unitFrom: 'gridUnit',
      icon: 'th',
      hint: true,
    },
    /** Flange to centre of the grid along the flange's Z at the first pose; empty assumes a usual value. */
    gridDistance: {
      kind: 'number',
      default: '',
      least: -10000,
      most: 10000,
      unit: 'mm',
      optional: true,
      icon: 'arrows-v',
      placeholder: true,
      hint: true,
      when: 'drive=messages ; drive=robot|flow&sightings=answers',
    },
    /** Four: the flange turns about one axis only, as on a SCARA or a palletiser. */
    axes: { kind: 'choice', default: 'six', choices: ['six', 'four'], icon: 'cogs' },
    axis: { kind: 'choice', default: 'z', choices: axes, icon: 'refresh', when: 'axes=four' },
    /** Along the axis, from flange to camera or grid, mm. */
    offset: {
      kind: 'number',
      default: 0,
      least: -10000,
      most: 10000,
      unit: 'mm',
      icon: 'long-arrow-up',
      when: 'axes=four',
      hint: true,
    },
    /** Seconds from message to image. */
    settling: {
      kind: 'number',
      default: 0.5,
      least: 0,
      most: 60,
      unit: 's',
      unitText: true,
      icon: 'hourglass-half',
    },
    ...driveFields,
    /** mm and degrees. */
    limitMillimetres: { kind: 'number', default: 1, least: 0, most: 1000, unit: 'mm', icon: 'crosshairs' },
    limitDegrees: { kind: 'number', default: 0.2, least: 0, most: 180, unit: '°', icon: 'crosshairs' },
    save: { kind: 'choice', default: 'good', choices: ['good', 'ask'], icon: 'floppy-o' },
    command: {
      kind: 'typed',
      default: 'topic',
      kinds: ['msg', 'flow', 'global', 'jsonata', 'str', 'env'],
      icon: 'terminal',
      section: 'advanced',
      hint: true,
    },
    /** A pose, several, or the marks of a check. */
    pose: { kind: 'typed', default: 'payload', kinds: messageKinds, icon: 'envelope', section: 'advanced' },
    list: {
      kind: 'choice',
      default: 'robot',
      choices: ['robot', 'now'],
      icon: 'list-ol',
      section: 'advanced',
      when: 'drive=messages',
    },
    /** mm. */
    limitCheck: {
      kind: 'number',
      default: 2,
      least: 0,
      most: 1000,
      unit: 'mm',
      unitText: true,
      icon: 'check',
      section: 'advanced',
    },
    pipeline: { ...pipelineField, section: 'advanced' },
    node: {
      kind: 'typed',
      default: 'dev_hand_eye_calibration',
      kinds: textKinds,
      optional: true,
      pick: 'node',
      icon: 'cube',
      section: 'advanced',
    },
    /** Seconds. */
    deadline: {
      kind: 'number',
      default: 30,
      least: 0.1,
      most: 3600,
      unit: 's',
      icon: 'clock-o',
      section: 'advanced',
    },
  },
} as const satisfies NodeDescription

export type HandEyeCalibrationFields = FieldsOf<typeof handEyeCalibrationNode>

export type HandEyeCalibrationTexts = Translated<typeof handEyeCalibrationNode, typeof en | typeof de>
