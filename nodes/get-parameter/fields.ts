import { deviceField, nameKinds, type NodeDescription, pipelineField } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/get-parameter.json'
import type en from './locales/en-US/get-parameter.json'

export const getParameterNode = {
  type: 'get-parameter',
  group: 'configure',
  icon: 'vision-read.svg',
  inputs: 1,
  changes: false,
  outputs: ['output'],
  fields: {
    device: deviceField,
    pipeline: pipelineField,
    /** One node; several as comma-separated text, as an array, or as an object of nodes and their parameters. */
    node: {
      kind: 'typed',
      default: '',
      kinds: ['str', 'msg', 'flow', 'global', 'jsonata', 'env', 'json'],
      optional: true,
      pick: 'node',
      severalWhen: 'which=nodes',
      icon: 'cube',
      placeholder: true,
      hint: { nodes: 'which=nodes' },
    },
    which: {
      kind: 'choice',
      default: 'one',
      choices: ['one', 'several', 'all', 'nodes'],
      icon: 'check-square-o',
    },
    parameter: {
      kind: 'typed',
      default: '',
      presentOf: { field: 'parameter' },
      kinds: nameKinds,
      optional: true,
      pick: 'parameter',
      severalWhen: 'which=several',
      icon: 'sliders',
      when: 'which=one|several',
      placeholder: true,
      hint: { several: 'which=several' },
    },
    output: { kind: 'choice', default: 'value', choices: ['value', 'record'], icon: 'file-text-o' },
    property: { kind: 'property', default: 'payload', icon: 'sign-out' },
  },
} as const satisfies NodeDescription

export type GetParameterFields = FieldsOf<typeof getParameterNode>
export type GetParameterTexts = Translated<typeof getParameterNode, typeof en | typeof de>
