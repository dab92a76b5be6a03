import {
  customFormatRow,
  lengthUnitRow,
  messageKinds,
  type NodeDescription,
  poseFormatRow,
  textKinds,
} from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/robot-pose.json'
import type en from './locales/en-US/robot-pose.json'

export const robotPoseNode = {
  type: 'robot-pose',
  group: 'calibrate',
  icon: 'vision-pose.svg',
  inputs: 1,
  changes: false,
  outputs: ['output'],
  fields: {
    pose: { kind: 'typed', default: 'payload', kinds: messageKinds, icon: 'envelope' },
    which: { kind: 'choice', default: 'one', choices: ['one', 'list'], icon: 'list-ol' },
    from: { ...poseFormatRow, labels: { key: 'format' }, icon: 'sign-in' },
    fromCustom: { ...customFormatRow, when: 'from=custom', neededWhen: 'from=custom' },
    /** Empty: the format's own. */
    fromUnit: { ...lengthUnitRow, labels: { key: 'unit' } },
    to: { ...poseFormatRow, default: 'device', labels: { key: 'format' }, icon: 'sign-out' },
    toCustom: { ...customFormatRow, when: 'to=custom', neededWhen: 'to=custom' },
    toUnit: { ...lengthUnitRow, labels: { key: 'unit' } },
    /** With flags of the arm, in the output format; empty takes them from an input of that format. */
    taught: { kind: 'typed', default: '', kinds: textKinds, optional: true, icon: 'flag', hint: true },
    shape: { kind: 'choice', default: 'object', choices: ['object', 'array', 'text'], icon: 'cubes' },
    property: { kind: 'property', default: 'payload', icon: 'ellipsis-h' },
    /** Doubtful poses to refuse. */
    refuse: {
      kind: 'choice',
      default: 'impossible',
      choices: ['impossible', 'doubtful', 'none'],
      icon: 'exclamation-triangle',
      hint: true,
    },
  },
} as const satisfies NodeDescription

export type RobotPoseFields = FieldsOf<typeof robotPoseNode>
export type RobotPoseTexts = Translated<typeof robotPoseNode, typeof en | typeof de>
