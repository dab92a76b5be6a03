import { messageKinds, type NodeDescription } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/plc-result.json'
import type en from './locales/en-US/plc-result.json'

export const plcResultNode = {
  type: 'plc-result',
  group: 'cell',
  icon: 'vision-plc.svg',
  inputs: 1,
  changes: true,
  outputs: ['answered', 'dropped'],
  fields: {
    /** 0 is done, any other number is an error with this code; without one, an error in the message decides. */
    code: {
      kind: 'typed',
      default: 'code',
      kinds: messageKinds,
      optional: true,
      icon: 'exclamation-circle',
      hint: true,
    },
    /** A pose, or a list of poses or of results with a pose. */
    poses: {
      kind: 'typed',
      default: 'poses',
      kinds: messageKinds,
      optional: true,
      icon: 'crosshairs',
      hint: true,
    },
    count: {
      kind: 'typed',
      default: 'count',
      kinds: messageKinds,
      optional: true,
      icon: 'hashtag',
      hint: true,
    },
    score: { kind: 'typed', default: 'score', kinds: messageKinds, optional: true, icon: 'star-half-o' },
  },
} as const satisfies NodeDescription

export type PlcResultFields = FieldsOf<typeof plcResultNode>
export type PlcResultTexts = Translated<typeof plcResultNode, typeof en | typeof de>
