import {
  deadlineField,
  deviceField,
  formKinds,
  type NodeDescription,
  nodeField,
  pipelineField,
  textKinds,
} from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/call-service.json'
import type en from './locales/en-US/call-service.json'

export const callServiceNode = {
  type: 'call-service',
  group: 'acquire',
  icon: 'vision-call.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['done', 'refused'],
  secondOutputWhen: 'onRefusal=output',
  label: ['node', 'service'],
  fields: {
    device: deviceField,
    pipeline: pipelineField,
    node: nodeField,
    service: {
      kind: 'typed',
      default: '',
      kinds: textKinds,
      optional: true,
      pick: 'service',
      icon: 'cog',
      placeholder: true,
    },
    args: {
      kind: 'typed',
      default: '{}',
      form: { of: 'service' },
      kinds: formKinds,
      defaultKind: 'json',
      icon: 'list-ul',
    },
    try: { kind: 'button', does: 'try-service', icon: 'play', hint: true },
    startsModule: { kind: 'switch', default: true, icon: 'power-off', hint: true },
    /** Answers an accepted acquisition when its depth image is due; the device itself answers at once. */
    waitsForDepth: {
      kind: 'switch',
      default: false,
      when: 'service=acquisition_trigger',
      icon: 'hourglass-half',
      hint: true,
    },
    draws: { kind: 'switch', default: false, icon: 'object-group', hint: true },
    onRefusal: { kind: 'choice', default: 'error', choices: ['error', 'output'], icon: 'ban' },
    deadline: deadlineField,
  },
} as const satisfies NodeDescription

export type CallServiceFields = FieldsOf<typeof callServiceNode>
export type CallServiceTexts = Translated<typeof callServiceNode, typeof en | typeof de>
