import { pageLanguageField } from '../operator/page-fields'
import type { NodeDescription } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/operator-fleet.json'
import type en from './locales/en-US/operator-fleet.json'

export const operatorFleetNode = {
  type: 'operator-fleet',
  group: 'maintenance',
  icon: 'vision-panel.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['orders', 'state', 'map', 'rollout', 'buttons'],
  fields: {
    /** Named rollouts that the page can start. */
    plans: { kind: 'json', default: '[]', isList: true, icon: 'list-ol', hint: true },
    language: pageLanguageField,
  },
} as const satisfies NodeDescription

export type OperatorFleetFields = FieldsOf<typeof operatorFleetNode>
export type OperatorFleetTexts = Translated<typeof operatorFleetNode, typeof en | typeof de>
