import { deviceField, type NodeDescription, textKinds } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/pipeline.json'
import type en from './locales/en-US/pipeline.json'

export const pipelineNode = {
  type: 'pipeline',
  group: 'configure',
  icon: 'vision-pipeline.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['done', 'steps'],
  secondOutputWhen: 'action=configure|delete|apply',
  fields: {
    device: deviceField,
    action: {
      kind: 'choice',
      default: 'list',
      choices: ['list', 'configure', 'delete', 'apply'],
      icon: 'play',
    },
    pipeline: {
      kind: 'typed',
      default: '',
      kinds: textKinds,
      optional: true,
      icon: 'code-fork',
      when: 'action=configure|delete',
      placeholder: true,
    },
    /** Sensor, in the device's spelling. */
    kind: {
      kind: 'typed',
      default: '',
      kinds: textKinds,
      pick: 'sensor',
      icon: 'eye',
      when: 'action=configure',
      placeholder: true,
      hint: true,
    },
    restart: {
      kind: 'choice',
      default: 'later',
      choices: ['later', 'now'],
      icon: 'power-off',
      when: 'action=configure|delete',
    },
    /** Seconds. */
    readyWithin: {
      kind: 'number',
      default: 600,
      least: 1,
      most: 86400,
      unit: 's',
      icon: 'clock-o',
      when: 'action=apply ; action=configure|delete & restart=now',
    },
    confirmed: {
      kind: 'switch',
      default: false,
      neededWhen: 'action=delete|apply ; action=configure & restart=now',
      icon: 'exclamation-triangle',
      when: 'action=delete|apply ; action=configure & restart=now',
      hint: {
        confirmed: 'action=apply ; action=configure & restart=now',
        confirmedDelete: 'action=delete & restart=later',
        confirmedBoth: 'action=delete & restart=now',
      },
    },
  },
} as const satisfies NodeDescription

export type PipelineFields = FieldsOf<typeof pipelineNode>
export type PipelineTexts = Translated<typeof pipelineNode, typeof en | typeof de>
