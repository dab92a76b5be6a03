import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import { deviceField, type NodeDescription, textKinds } from '../shared/fields/description'
import type de from './locales/de/read-log.json'
import type en from './locales/en-US/read-log.json'

export const readLogNode = {
  type: 'read-log',
  group: 'streams',
  icon: 'vision-logs.svg',
  inputs: 1,
  changes: false,
  outputs: ['output'],
  label: ['log'],
  fields: {
    device: deviceField,
    log: {
      kind: 'typed',
      default: '',
      kinds: textKinds,
      pick: 'log',
      icon: 'file-text-o',
      placeholder: 'api.log',
    },
    level: {
      kind: 'choice',
      default: 'DEBUG',
      choices: ['DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'],
      labels: { key: 'level', node: 'log-watch' },
      icon: 'filter',
    },
    /** The newest of the log, before those below the level are left out. */
    entries: {
      kind: 'number',
      default: 20,
      least: 1,
      most: 10000,
      whole: true,
      unit: '1',
      icon: 'history',
      hint: true,
    },
    property: { kind: 'property', default: 'payload', icon: 'sign-out' },
  },
} as const satisfies NodeDescription

export type ReadLogFields = FieldsOf<typeof readLogNode>
export type ReadLogTexts = Translated<typeof readLogNode, typeof en | typeof de>
