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
    /** One pose, or a list of poses. */
    which: { kind: 'choice', default: 'one', choices: ['one', 'list'], icon: 'list-ol' },
    from: { ...poseFormatRow, labels: { key: 'format' }, icon: 'sign-in' },
    /** What describes a format of one's own. */
    fromCustom: { ...customFormatRow, when: 'from=custom', neededWhen: 'from=custom' },
    /** Unit of positions; empty is the format's own. */
    fromUnit: { ...lengthUnitRow, labels: { key: 'unit' } },
    to: { ...poseFormatRow, default: 'device', labels: { key: 'format' }, icon: 'sign-out' },
    /** What describes a format of one's own. */
    toCustom: { ...customFormatRow, when: 'to=custom', neededWhen: 'to=custom' },
    toUnit: { ...lengthUnitRow, labels: { key: 'unit' } },
    /** A pose with flags of the arm, in the format of the output; empty takes them from the input, if it has that format. */
    taught: { kind: 'typed', default: '', kinds: textKinds, optional: true, icon: 'flag', hint: true },
    shape: { kind: 'choice', default: 'object', choices: ['object', 'array', 'text'], icon: 'cubes' },
    /** Property of the outgoing message. */
    property: { kind: 'property', default: 'payload', icon: 'ellipsis-h' },
    /** Which doubtful poses are refused: impossible ones, all of them, or none. */
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
