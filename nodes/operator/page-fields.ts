import type { ChoiceField } from '../shared/fields/description'

/** Language of everything that a page shows; empty: that of Node-RED. */
export const pageLanguageField = {
  kind: 'choice',
  default: '',
  choices: ['', 'en-US', 'de'],
  labels: { key: 'language', node: 'operator-panel' },
  icon: 'language',
} as const satisfies ChoiceField

/** Colours of plots and states on a page. */
export const pageThemeField = {
  kind: 'choice',
  default: 'light',
  choices: ['light', 'dark'],
  labels: { key: 'theme', node: 'operator-panel' },
  icon: 'adjust',
} as const satisfies ChoiceField
