import type { NodeDescription } from '../shared/fields/description'
import type { FieldsOf } from '../shared/fields/fields-of'
import type { Translated } from '../shared/fields/texts-of'
import type de from './locales/de/operator-calibration.json'
import type en from './locales/en-US/operator-calibration.json'

export const operatorCalibrationNode = {
  type: 'operator-calibration',
  group: 'calibrate',
  icon: 'vision-panel.svg',
  inputs: 1,
  outputs: ['orders', 'state', 'picture', 'plots', 'buttons'],
  fields: {
    /** Of everything that the page shows; empty: that of Node-RED. */
    language: { kind: 'choice', default: '', choices: ['', 'en-US', 'de'], icon: 'language' },
    /** Colours of the plots. */
    theme: { kind: 'choice', default: 'light', choices: ['light', 'dark'], icon: 'adjust' },
  },
} as const satisfies NodeDescription

export type OperatorCalibrationFields = FieldsOf<typeof operatorCalibrationNode>
export type OperatorCalibrationTexts = Translated<typeof operatorCalibrationNode, typeof en | typeof de>
