import {
  deviceField,
  nameKinds,
  type NodeDescription,
  nodeField,
  pipelineField,
} from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/get-status.json'
import type en from './locales/en-US/get-status.json'

export const getStatusNode = {
  type: 'get-status',
  group: 'acquire',
  icon: 'vision-status.svg',
  inputs: 1,
  changes: false,
  outputs: ['output'],
  fields: {
    device: deviceField,
    what: { kind: 'choice', default: 'node', choices: ['node', 'system'], icon: 'heartbeat' },
    pipeline: { ...pipelineField, when: 'what=node' },
    node: { ...nodeField, when: 'what=node' },
    which: { kind: 'choice', default: 'all', choices: ['all', 'several', 'one'], icon: 'check-square-o' },
    /** One; or several, comma-separated or as an array. Dots lead into parts of the system: `ntp.synchronized`. */
    value: {
      kind: 'typed',
      default: '',
      kinds: nameKinds,
      icon: 'tachometer',
      when: 'which=one|several',
      placeholder: true,
      hint: { several: 'which=several', node: 'what=node', system: 'what=system' },
    },
    /** The device sends the values of its nodes as texts. */
    shownAs: {
      kind: 'choice',
      default: 'number',
      choices: ['number', 'text'],
      icon: 'sort-numeric-asc',
      when: 'what=node',
    },
    /** Seconds; empty or 0 reads on messages only. */
    interval: {
      kind: 'number',
      default: '',
      least: 0.02,
      most: 86400,
      zero: true,
      unit: 's',
      unitText: true,
      optional: true,
      icon: 'repeat',
    },
    when: { kind: 'choice', default: 'always', choices: ['always', 'change'], icon: 'filter' },
    /** Smallest change of a number, in its own unit; empty or 0: any. */
    threshold: {
      kind: 'number',
      default: '',
      least: 0,
      most: 1000000000000,
      unit: '1',
      unitText: true,
      optional: true,
      icon: 'arrows-v',
      when: 'when=change',
      hint: true,
    },
    property: { kind: 'property', default: 'payload', icon: 'sign-out' },
  },
} as const satisfies NodeDescription

export type GetStatusFields = FieldsOf<typeof getStatusNode>
export type GetStatusTexts = Translated<typeof getStatusNode, typeof en | typeof de>
