import { pictureFields } from '../pictures/picture-fields'
import { deviceField, type NodeDescription, pipelineField, textKinds } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/acquire.json'
import type en from './locales/en-US/acquire.json'

export const acquireNode = {
  type: 'acquire',
  group: 'acquire',
  icon: 'vision-picture.svg',
  inputs: 1,
  changes: false,
  outputs: ['done', 'taken'],
  fields: {
    device: deviceField,
    pipeline: pipelineField,
    /** What ends the acquisition: the image set of the trigger, or the duration of a depth image. */
    proof: { kind: 'choice', default: 'set', choices: ['set', 'time'], icon: 'check-square-o', hint: true },
    ...pictureFields,
    /** Restores an acquisition mode that was not a single-frame mode. */
    restoresMode: { kind: 'switch', default: false, icon: 'undo', section: 'acquisition', hint: true },
    staysOpen: {
      kind: 'switch',
      default: true,
      icon: 'plug',
      when: 'proof=set',
      section: 'acquisition',
      hint: true,
    },
    /** Seconds from the accepted trigger to its set. */
    patience: {
      kind: 'number',
      default: 10,
      least: 0.1,
      most: 3600,
      unit: 's',
      unitText: true,
      icon: 'hourglass-half',
      when: 'proof=set',
      section: 'acquisition',
    },
    node: {
      kind: 'typed',
      default: 'dev_stereomatching',
      kinds: textKinds,
      optional: true,
      pick: 'node',
      icon: 'cube',
      section: 'acquisition',
    },
  },
} as const satisfies NodeDescription

export type AcquireFields = FieldsOf<typeof acquireNode>
export type AcquireTexts = Translated<typeof acquireNode, typeof en | typeof de>
