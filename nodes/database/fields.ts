import { recordKinds } from '../../lib/contract/reading/record-kinds'
import { deviceField, nameKinds, type NodeDescription } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import { recordForms } from './record-forms'
import type de from './locales/de/database.json'
import type en from './locales/en-US/database.json'

export const databaseNode = {
  type: 'database',
  group: 'configure',
  icon: 'vision-database.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['output'],
  fields: {
    device: deviceField,
    kind: {
      kind: 'choice',
      default: 'region',
      choices: recordKinds,
      icon: 'database',
    },
    action: { kind: 'choice', default: 'set', choices: ['set', 'get', 'delete'], icon: 'play' },
    /** One id, several as comma-separated text, or an array. */
    recordId: {
      kind: 'typed',
      default: '',
      kinds: nameKinds,
      pick: 'record',
      severalWhen: 'action=get|delete',
      icon: 'tag',
      placeholder: true,
      hint: { get: 'action=get', delete: 'action=delete', set: 'action=set & from=message' },
      optional: true,
      neededWhen: 'action=delete ; action=set & from=form',
    },
    from: {
      kind: 'choice',
      default: 'form',
      choices: ['form', 'message'],
      icon: 'sign-in',
      when: 'action=set',
    },
    record: {
      kind: 'typed',
      default: 'payload',
      kinds: ['msg', 'json', 'flow', 'global', 'jsonata'],
      icon: 'file-text-o',
      when: 'action=set & from=message',
      hint: true,
    },
    /** Unit of the lengths in the form. */
    unit: {
      kind: 'choice',
      default: 'mm',
      choices: ['mm', 'm'],
      icon: 'arrows-h',
      when: 'action=set & from=form & kind=region|loadCarrier|gripper',
    },
    form: { kind: 'record', default: '{}', unitField: 'unit', forms: recordForms },
  },
} as const satisfies NodeDescription

export type DatabaseFields = FieldsOf<typeof databaseNode>
export type DatabaseTexts = Translated<typeof databaseNode, typeof en | typeof de>
