import { messageKinds, type NodeDescription } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/robot-answer.json'
import type en from './locales/en-US/robot-answer.json'

export const robotAnswerNode = {
  type: 'robot-answer',
  group: 'cell',
  icon: 'vision-pose.svg',
  inputs: 1,
  changes: true,
  outputs: ['answered', 'dropped'],
  fields: {
    /** A pose, or poses or results with a pose, best first. */
    poses: {
      kind: 'typed',
      default: 'payload.grasps',
      kinds: messageKinds,
      optional: true,
      icon: 'crosshairs',
      hint: true,
    },
    /** 0 or empty is done; other numbers are failures. */
    code: {
      kind: 'typed',
      default: 'code',
      kinds: messageKinds,
      optional: true,
      icon: 'exclamation-circle',
      hint: true,
    },
    /** Time of the picture, ms since 1970; empty: time of the request. */
    taken: {
      kind: 'typed',
      default: 'taken',
      kinds: messageKinds,
      optional: true,
      icon: 'camera',
      section: 'advanced',
      hint: true,
    },
    /** Pose of the robot when the picture was taken. */
    takenAt: {
      kind: 'typed',
      default: 'robot.pose',
      kinds: messageKinds,
      optional: true,
      icon: 'map-marker',
      section: 'advanced',
      hint: true,
    },
  },
} as const satisfies NodeDescription

export type RobotAnswerFields = FieldsOf<typeof robotAnswerNode>
export type RobotAnswerTexts = Translated<typeof robotAnswerNode, typeof en | typeof de>
