import type { NodeDescription } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/virtual-device.json'
import type en from './locales/en-US/virtual-device.json'

export const virtualDeviceNode = {
  type: 'virtual-device',
  group: 'virtual',
  icon: 'vision-virtual.svg',
  inputs: 1,
  changes: true,
  outputs: ['output'],
  fields: {
    /** 0 is any free port. */
    port: { kind: 'number', default: 8080, least: 0, most: 65535, whole: true, unit: '1', icon: 'plug' },
    host: {
      kind: 'text',
      default: '127.0.0.1',
      pattern: '^[\\w.:-]+$',
      icon: 'globe',
      placeholder: '127.0.0.1',
      hint: true,
    },
    /** First image port, or `off`; empty: 50051 or the next free one. */
    imagePort: {
      kind: 'text',
      default: '',
      pattern: '^(\\d{1,5}|off)?$',
      icon: 'picture-o',
      placeholder: true,
      hint: true,
    },
    /** Multi variant; or `off`. Empty: 7100 or the next free one. */
    robotPort: {
      kind: 'text',
      default: '',
      pattern: '^(\\d{1,5}|off)?$',
      icon: 'exchange',
      placeholder: true,
      hint: true,
    },
    /** Simulated robot arm in the same cell. */
    arm: {
      kind: 'choice',
      default: 'off',
      choices: ['off', 'ur3e', 'ur5e', 'ur10e', 'ur16e', 'ur3', 'ur5', 'ur10'],
      icon: 'cogs',
      hint: true,
    },
    variant: { kind: 'choice', default: 'single', choices: ['single', 'multi'], icon: 'code-fork' },
    nodePrefix: { kind: 'text', default: 'dev_', pattern: '^\\w*$', icon: 'font', hint: true },
    /** Keeps the state across restarts; empty: none. */
    stateFolder: { kind: 'text', default: '', icon: 'folder-o', placeholder: true, hint: true },
    seed: {
      kind: 'number',
      default: 1,
      least: 0,
      most: 4294967295,
      whole: true,
      unit: '1',
      icon: 'random',
      hint: true,
    },
    /** Empty: from the state folder, or derived from seed and port. */
    serial: {
      kind: 'text',
      default: '',
      pattern: '^[A-Za-z\\d-]{0,32}$',
      icon: 'barcode',
      placeholder: true,
    },
    scenario: { kind: 'json', default: '{}', icon: 'magic', hint: true },
    /** First port of the arm's controller; empty: 29999 or the next free one. */
    armPort: {
      kind: 'text',
      default: '',
      pattern: '^\\d{0,5}$',
      icon: 'plug',
      section: 'advanced',
      placeholder: true,
      hint: true,
    },
    /** First part of the host name; empty: by variant. */
    model: {
      kind: 'text',
      default: '',
      pattern: '^([A-Za-z][A-Za-z\\d-]{0,29})?$',
      icon: 'tag',
      section: 'advanced',
      placeholder: true,
      hint: true,
    },
    /** Active firmware at the first start; all images follow its form. Empty: v1.1.0. */
    imageVersion: {
      kind: 'text',
      default: '',
      pattern: '^((\\w{1,30}-)?v\\d{1,5}\\.\\d{1,5}\\.\\d{1,5}(-[\\w.]{1,30})?)?$',
      icon: 'microchip',
      section: 'advanced',
      placeholder: true,
      hint: true,
    },
  },
} as const satisfies NodeDescription

export type VirtualDeviceFields = FieldsOf<typeof virtualDeviceNode>
export type VirtualDeviceTexts = Translated<typeof virtualDeviceNode, typeof en | typeof de>
