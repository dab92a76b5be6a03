import { pageLanguageField } from '../operator/page-fields'
import type { NodeDescription } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/operator-devices.json'
import type en from './locales/en-US/operator-devices.json'

export const operatorDevicesNode = {
  type: 'operator-devices',
  group: 'cell',
  icon: 'vision-panel.svg',
  inputs: 1,
  changes: false,
  outputs: ['devices'],
  fields: {
    language: pageLanguageField,
  },
} as const satisfies NodeDescription

export type OperatorDevicesFields = FieldsOf<typeof operatorDevicesNode>
export type OperatorDevicesTexts = Translated<typeof operatorDevicesNode, typeof en | typeof de>
