import type { ChoiceField } from '../shared/fields/description'

/** Empty: Node-RED's language. */
export const pageLanguageField = {
  kind: 'choice',
  default: '',
  choices: ['', 'en-US', 'de'],
  labels: { key: 'language', node: 'operator-panel' },
  icon: 'language',
} as const satisfies ChoiceField

export const pageThemeField = {
  kind: 'choice',
  default: 'light',
  choices: ['light', 'dark'],
  labels: { key: 'theme', node: 'operator-panel' },
  icon: 'adjust',
} as const satisfies ChoiceField
