import type { NodeDescription } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/robot-request.json'
import type en from './locales/en-US/robot-request.json'

export const robotRequestNode = {
  type: 'robot-request',
  group: 'cell',
  icon: 'vision-pose.svg',
  inputs: 0,
  outputs: ['request', 'events'],
  fields: {
    robots: { kind: 'config', of: 'vision-robot-connection', required: true, icon: 'android' },
  },
} as const satisfies NodeDescription

export type RobotRequestFields = FieldsOf<typeof robotRequestNode>
export type RobotRequestTexts = Translated<typeof robotRequestNode, typeof en | typeof de>
