import { deviceField, type NodeDescription, settingKinds } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/stream-receive.json'
import type en from './locales/en-US/stream-receive.json'

export const streamReceiveNode = {
  type: 'stream-receive',
  group: 'streams',
  icon: 'vision-stream.svg',
  inputs: 0,
  outputs: ['messages', 'statistics'],
  label: ['stream'],
  fields: {
    device: deviceField,
    stream: {
      kind: 'typed',
      default: 'pose',
      kinds: settingKinds,
      pick: 'stream',
      icon: 'rss',
      placeholder: true,
      hint: true,
    },
    /** All messages, the newest one at a rate, or batches. */
    output: { kind: 'choice', default: 'every', choices: ['every', 'rate', 'batch'], icon: 'sign-out' },
    /** Messages per second. */
    rate: {
      kind: 'number',
      default: 10,
      least: 0.01,
      most: 1000,
      unit: 'Hz',
      unitText: true,
      icon: 'tachometer',
      when: 'output=rate',
      hint: true,
    },
    /** Messages per batch; empty: all that arrive in `seconds`. */
    count: {
      kind: 'number',
      default: '',
      least: 1,
      most: 100000,
      whole: true,
      unit: '1',
      unitText: true,
      optional: true,
      neededWhen: 'seconds=',
      icon: 'list-ol',
      when: 'output=batch',
    },
    /** Longest batch; empty waits for `count`. */
    seconds: {
      kind: 'number',
      default: 1,
      least: 0.01,
      most: 3600,
      unit: 's',
      optional: true,
      neededWhen: 'count=',
      icon: 'hourglass-half',
      when: 'output=batch',
      hint: true,
    },
    /** Seconds between statistics; 0: none. */
    statistics: {
      kind: 'number',
      default: 5,
      least: 0.02,
      most: 3600,
      zero: true,
      unit: 's',
      unitText: true,
      icon: 'bar-chart',
    },
    /** `keep`: the node adds itself and stays listed. */
    destination: {
      kind: 'choice',
      default: 'keep',
      choices: ['keep', 'none'],
      icon: 'map-marker',
      section: 'advanced',
    },
    /** UDP; 0 is any free port. */
    port: {
      kind: 'number',
      default: 0,
      least: 0,
      most: 65535,
      whole: true,
      unit: '1',
      icon: 'plug',
      section: 'advanced',
      hint: true,
    },
    /** Local address; empty: the one with a route to the device. */
    address: {
      kind: 'text',
      default: '',
      icon: 'desktop',
      section: 'advanced',
      placeholder: true,
      hint: true,
    },
    from: {
      kind: 'choice',
      default: 'device',
      choices: ['device', 'hosts', 'all'],
      icon: 'shield',
      section: 'advanced',
    },
    hosts: {
      kind: 'text',
      default: '',
      neededWhen: 'from=hosts',
      icon: 'server',
      when: 'from=hosts',
      section: 'advanced',
      placeholder: true,
      hint: true,
    },
  },
} as const satisfies NodeDescription

export type StreamReceiveFields = FieldsOf<typeof streamReceiveNode>
export type StreamReceiveTexts = Translated<typeof streamReceiveNode, typeof en | typeof de>
