import { pageLanguageField, pageThemeField } from '../operator/page-fields'
import type { NodeDescription } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/operator-calibration.json'
import type en from './locales/en-US/operator-calibration.json'

export const operatorCalibrationNode = {
  type: 'operator-calibration',
  group: 'calibrate',
  icon: 'vision-panel.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['orders', 'state', 'picture', 'plots', 'buttons'],
  fields: {
    language: pageLanguageField,
    theme: pageThemeField,
  },
} as const satisfies NodeDescription

export type OperatorCalibrationFields = FieldsOf<typeof operatorCalibrationNode>
export type OperatorCalibrationTexts = Translated<typeof operatorCalibrationNode, typeof en | typeof de>
