import type { NodeDescription } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/plc-messages.json'
import type en from './locales/en-US/plc-messages.json'

export const plcMessagesNode = {
  type: 'plc-messages',
  group: 'cell',
  icon: 'vision-plc.svg',
  inputs: 1,
  changes: true,
  outputs: ['values'],
  fields: {
    handshake: { kind: 'config', of: 'vision-plc-handshake', required: true, icon: 'retweet' },
  },
} as const satisfies NodeDescription

export type PlcMessagesFields = FieldsOf<typeof plcMessagesNode>
export type PlcMessagesTexts = Translated<typeof plcMessagesNode, typeof en | typeof de>
