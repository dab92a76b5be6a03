import { messageKinds, type NodeDescription } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/virtual-plc.json'
import type en from './locales/en-US/virtual-plc.json'

export const virtualPlcNode = {
  type: 'virtual-plc',
  group: 'virtual',
  icon: 'vision-plc.svg',
  inputs: 1,
  changes: true,
  // It plays the PLC of the handshake that the flow has already.
  takesOnly: 'handshake',
  outputs: ['answers'],
  fields: {
    handshake: { kind: 'config', of: 'vision-plc-handshake', required: true, icon: 'retweet' },
    /** Job or recipe number that it asks for. */
    job: { kind: 'typed', default: 'job', kinds: messageKinds, optional: true, icon: 'hashtag', hint: true },
    /** Seconds from one trigger to the next; 0: only on a message. */
    every: {
      kind: 'number',
      default: 0,
      zero: true,
      least: 0.05,
      most: 3600,
      unit: 's',
      unitText: true,
      icon: 'repeat',
    },
  },
} as const satisfies NodeDescription

export type VirtualPlcFields = FieldsOf<typeof virtualPlcNode>
export type VirtualPlcTexts = Translated<typeof virtualPlcNode, typeof en | typeof de>
