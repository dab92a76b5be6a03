import { deviceField, type NodeDescription, textKinds } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/stream-destination.json'
import type en from './locales/en-US/stream-destination.json'

export const streamDestinationNode = {
  type: 'stream-destination',
  group: 'streams',
  icon: 'vision-destination.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['output'],
  label: ['stream', 'destination'],
  fields: {
    device: deviceField,
    stream: {
      kind: 'typed',
      default: 'pose',
      kinds: textKinds,
      optional: true,
      neededWhen: 'action=keep',
      pick: 'stream',
      icon: 'rss',
      placeholder: true,
    },
    action: {
      kind: 'choice',
      default: 'keep',
      choices: ['keep', 'add', 'remove', 'clear', 'list', 'message'],
      icon: 'wrench',
    },
    /** `<ip>:<port>`, or a port of this computer. */
    destination: {
      kind: 'typed',
      default: '',
      kinds: textKinds,
      optional: true,
      neededWhen: 'action=keep',
      icon: 'map-marker',
      when: 'action=keep|add|remove|message',
      placeholder: true,
      hint: true,
    },
  },
} as const satisfies NodeDescription

export type StreamDestinationFields = FieldsOf<typeof streamDestinationNode>
export type StreamDestinationTexts = Translated<typeof streamDestinationNode, typeof en | typeof de>

/** `message`: from `msg.action`. */
export type StreamAction = StreamDestinationFields['action']
