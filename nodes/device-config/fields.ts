import type { NodeDescription } from '../shared/fields/description'
import type { CredentialsOf, FieldsOf, Translated } from '../shared/fields/checked-fields'
import type { StatusWord } from '../shared/status'
import type de from './locales/de/device-config.json'
import type en from './locales/en-US/device-config.json'

export const deviceConfigNode = {
  type: 'device-config',
  group: 'config',
  icon: 'vision-device.svg',
  namePlaceholder: true,
  fields: {
    /** Host, host:port or URL; `${ENV}` inside is replaced. */
    address: { kind: 'text', default: '', isAddress: true, icon: 'globe', placeholder: true, hint: true },
    test: { kind: 'button', does: 'test-connection', icon: 'plug' },
    tls: { kind: 'config', of: 'tls-config', icon: 'lock', hint: true },
    login: {
      kind: 'choice',
      default: 'none',
      choices: ['none', 'password', 'token'],
      icon: 'key',
      hint: true,
    },
    user: { kind: 'credential', icon: 'user', when: 'login=password', neededWhen: 'login=password' },
    password: {
      kind: 'credential',
      secret: true,
      icon: 'asterisk',
      when: 'login=password',
      neededWhen: 'login=password',
    },
    token: {
      kind: 'credential',
      secret: true,
      icon: 'ticket',
      when: 'login=token',
      neededWhen: 'login=token',
    },
    /** Seconds, including retries. */
    deadline: {
      kind: 'number',
      default: 5,
      least: 0.01,
      most: 3600,
      unit: 's',
      icon: 'clock-o',
      section: 'advanced',
      hint: true,
    },
    /** Seconds. */
    connectDeadline: {
      kind: 'number',
      default: 3,
      least: 0.01,
      most: 600,
      unit: 's',
      icon: 'plug',
      section: 'advanced',
      hint: true,
    },
    /** Seconds for which a gateway may still deliver a write whose connection was lost. */
    gatewayDelay: {
      kind: 'number',
      default: 3,
      least: 0.1,
      most: 600,
      unit: 's',
      icon: 'hourglass-half',
      section: 'advanced',
      hint: true,
    },
    /** Seconds. */
    healthInterval: {
      kind: 'number',
      default: 5,
      least: 0.1,
      most: 3600,
      unit: 's',
      icon: 'heartbeat',
      section: 'advanced',
      hint: true,
    },
    /** Requests per second; 0 is unlimited. */
    pace: {
      kind: 'number',
      default: 0,
      least: 0,
      most: 1000,
      unit: 'Hz',
      unitText: true,
      icon: 'tachometer',
      section: 'advanced',
      hint: true,
    },
    concurrency: {
      kind: 'number',
      default: 4,
      least: 1,
      most: 64,
      whole: true,
      unit: '1',
      unitText: true,
      icon: 'exchange',
      section: 'advanced',
      hint: true,
    },
    queue: {
      kind: 'number',
      default: 100,
      least: 0,
      most: 10000,
      whole: true,
      unit: '1',
      unitText: true,
      icon: 'list-ol',
      section: 'advanced',
      hint: true,
    },
    /** TCP port of the image stream of pipeline 0; those of the others follow it. */
    imagePort: {
      kind: 'number',
      default: 50051,
      least: 1,
      most: 65535,
      whole: true,
      unit: '1',
      icon: 'picture-o',
      section: 'advanced',
      hint: true,
    },
    imageTls: {
      kind: 'choice',
      default: 'none',
      choices: ['none', 'tls'],
      icon: 'lock',
      section: 'advanced',
      hint: true,
    },
    /** Comma-separated: `dev_camera.temp_left, 1/dev_stereomatching.fps`. */
    metricsValues: {
      kind: 'text',
      default: '',
      pattern: '^(?:[\\w./-]+(?: *, *[\\w./-]+)*)?$',
      icon: 'line-chart',
      section: 'advanced',
      placeholder: 'dev_camera.temp_left',
      hint: true,
    },
    /** Seconds. */
    metricsInterval: {
      kind: 'number',
      default: 60,
      least: 1,
      most: 86400,
      unit: 's',
      icon: 'repeat',
      section: 'advanced',
    },
    format: {
      kind: 'choice',
      default: 'json',
      choices: ['json', 'ubjson'],
      icon: 'file-code-o',
      section: 'advanced',
    },
  },
} as const satisfies NodeDescription

export type DeviceConfigFields = FieldsOf<typeof deviceConfigNode>
export type DeviceConfigTexts = Translated<typeof deviceConfigNode, typeof en | typeof de>
/** Does not compile if a language lacks the text of a status word. */
export type StatusTexts = TextsOfStatus<typeof en | typeof de>
type TextsOfStatus<Catalogs extends { 'device-config': { status: Record<StatusWord, string> } }> = Catalogs
export type DeviceCredentials = CredentialsOf<typeof deviceConfigNode>
