import {
  deviceField,
  type NodeDescription,
  nodeField,
  pipelineField,
  textKinds,
} from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/set-parameter.json'
import type en from './locales/en-US/set-parameter.json'

export const setParameterNode = {
  type: 'set-parameter',
  group: 'configure',
  icon: 'vision-write.svg',
  inputs: 1,
  changes: true,
  outputs: ['output'],
  fields: {
    device: deviceField,
    pipeline: pipelineField,
    node: { ...nodeField, when: 'which=one|several' },
    which: { kind: 'choice', default: 'one', choices: ['one', 'several', 'nodes'], icon: 'check-square-o' },
    parameter: {
      kind: 'typed',
      default: '',
      kinds: textKinds,
      optional: true,
      pick: 'parameter',
      icon: 'sliders',
      when: 'which=one',
      placeholder: true,
    },
    /** Names and values; for several nodes, an object of nodes with such objects. */
    value: {
      kind: 'typed',
      default: 'payload',
      presentOf: { field: 'parameter', when: 'which=one' },
      form: { of: 'parameters', severalWhen: 'which=several', nodesWhen: 'which=nodes' },
      kinds: ['msg', 'form', 'num', 'bool', 'str', 'json', 'flow', 'global', 'jsonata', 'env'],
      icon: 'pencil',
      hint: { several: 'which=several', nodes: 'which=nodes' },
    },
    /** Restores values that were written before a later node refused. */
    putsBack: { kind: 'switch', default: true, icon: 'undo', when: 'which=nodes', hint: true },
  },
} as const satisfies NodeDescription

export type SetParameterFields = FieldsOf<typeof setParameterNode>
export type SetParameterTexts = Translated<typeof setParameterNode, typeof en | typeof de>
