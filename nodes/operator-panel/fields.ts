import { pageLanguageField, pageThemeField } from '../operator/page-fields'
import type { NodeDescription } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/operator-panel.json'
import type en from './locales/en-US/operator-panel.json'

export const operatorPanelNode = {
  type: 'operator-panel',
  group: 'cell',
  icon: 'vision-panel.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['state', 'picture', 'results', 'counters', 'alarms', 'plots', 'orders'],
  fields: {
    handshake: { kind: 'config', of: 'vision-plc-handshake', required: true, icon: 'retweet' },
    language: { ...pageLanguageField, labels: { key: 'language' } },
    theme: { ...pageThemeField, labels: { key: 'theme' } },
  },
} as const satisfies NodeDescription

export type OperatorPanelFields = FieldsOf<typeof operatorPanelNode>
export type OperatorPanelTexts = Translated<typeof operatorPanelNode, typeof en | typeof de>
