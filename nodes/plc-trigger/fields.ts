import type { NodeDescription } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/plc-trigger.json'
import type en from './locales/en-US/plc-trigger.json'

export const plcTriggerNode = {
  type: 'plc-trigger',
  group: 'cell',
  icon: 'vision-plc.svg',
  inputs: 0,
  outputs: ['trigger', 'events', 'prepare'],
  fields: {
    handshake: { kind: 'config', of: 'vision-plc-handshake', required: true, icon: 'retweet' },
    /** The cell is ready only while this device is; empty: always. */
    device: { kind: 'config', of: 'vision-device-config', icon: 'camera', hint: true },
  },
} as const satisfies NodeDescription

export type PlcTriggerFields = FieldsOf<typeof plcTriggerNode>
export type PlcTriggerTexts = Translated<typeof plcTriggerNode, typeof en | typeof de>
