import type { NodeDescription } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/operator-permission.json'
import type en from './locales/en-US/operator-permission.json'

export const operatorPermissionNode = {
  type: 'operator-permission',
  group: 'cell',
  icon: 'vision-panel.svg',
  inputs: 1,
  changes: false,
  outputs: ['allowed', 'shown'],
  fields: {
    /** Off: the page is read-only. */
    allowed: { kind: 'switch', default: false, icon: 'unlock-alt', hint: true },
  },
} as const satisfies NodeDescription

export type OperatorPermissionFields = FieldsOf<typeof operatorPermissionNode>
export type OperatorPermissionTexts = Translated<typeof operatorPermissionNode, typeof en | typeof de>
