import { pictureFields } from '../pictures/picture-fields'
import { deviceField, type NodeDescription, pipelineField } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/image-receive.json'
import type en from './locales/en-US/image-receive.json'

export const imageReceiveNode = {
  type: 'image-receive',
  group: 'streams',
  icon: 'vision-image.svg',
  inputs: 1,
  changes: false,
  outputs: ['pictures', 'state'],
  fields: {
    device: deviceField,
    pipeline: pipelineField,
    send: {
      kind: 'choice',
      default: 'rate',
      choices: ['rate', 'newest', 'change', 'every'],
      icon: 'sign-out',
      hint: { newest: 'send=newest', every: 'send=every' },
    },
    /** Sets per second. */
    rate: {
      kind: 'number',
      default: 2,
      least: 0.001,
      most: 100,
      unit: 'Hz',
      icon: 'tachometer',
      when: 'send=rate',
    },
    /** Changed share of the picture, percent. */
    change: {
      kind: 'number',
      default: 2,
      least: 0.1,
      most: 100,
      unit: '1',
      unitText: true,
      icon: 'adjust',
      when: 'send=change',
    },
    starts: {
      kind: 'choice',
      default: 'deploy',
      choices: ['deploy', 'message'],
      icon: 'play',
      hint: true,
    },
    ...pictureFields,
  },
} as const satisfies NodeDescription

export type ImageReceiveFields = FieldsOf<typeof imageReceiveNode>
export type ImageReceiveTexts = Translated<typeof imageReceiveNode, typeof en | typeof de>
