import { deviceField, type NodeDescription, settingKinds } from '../shared/fields/description'
import type { CredentialsOf, FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/log-watch.json'
import type en from './locales/en-US/log-watch.json'

export const logWatchNode = {
  type: 'log-watch',
  group: 'streams',
  icon: 'vision-logs.svg',
  inputs: 0,
  outputs: ['entries', 'gaps'],
  label: ['log'],
  fields: {
    device: deviceField,
    /** Empty: all logs of the device. */
    log: {
      kind: 'typed',
      default: '',
      kinds: settingKinds,
      optional: true,
      pick: 'log',
      icon: 'file-text-o',
      placeholder: true,
    },
    start: { kind: 'choice', default: 'kept', choices: ['kept', 'now', 'last'], icon: 'play' },
    /** Existing entries of each log, for the start `last`. */
    last: {
      kind: 'number',
      default: 100,
      least: 1,
      most: 10000,
      whole: true,
      unit: '1',
      unitText: true,
      icon: 'history',
      when: 'start=last',
    },
    level: {
      kind: 'choice',
      default: 'DEBUG',
      choices: ['DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'],
      icon: 'filter',
    },
    /** Comma-separated, with `*`; empty: all. */
    component: {
      kind: 'typed',
      default: '',
      kinds: settingKinds,
      optional: true,
      icon: 'cube',
      placeholder: true,
    },
    text: {
      kind: 'typed',
      default: '',
      patternWhen: 'match=pattern',
      kinds: settingKinds,
      icon: 'search',
      placeholder: true,
      optional: true,
    },
    match: { kind: 'choice', default: 'text', choices: ['text', 'pattern'], icon: 'asterisk' },
    output: { kind: 'choice', default: 'each', choices: ['each', 'batch'], icon: 'sign-out' },
    batch: {
      kind: 'number',
      default: 100,
      least: 1,
      most: 10000,
      whole: true,
      unit: '1',
      unitText: true,
      icon: 'list',
      when: 'output=batch',
      hint: true,
    },
    /** Entries per `seconds`; empty: unlimited. */
    rate: {
      kind: 'number',
      default: '',
      least: 1,
      most: 1000000,
      whole: true,
      unit: '1',
      unitText: true,
      optional: true,
      icon: 'hand-paper-o',
      section: 'advanced',
      hint: true,
    },
    seconds: {
      kind: 'number',
      default: 60,
      least: 1,
      most: 86400,
      unit: 's',
      icon: 'calendar-o',
      section: 'advanced',
    },
    /** OpenTelemetry collector; empty: none. `/v1/logs` is appended to an address without a path. */
    otlpEndpoint: {
      kind: 'text',
      default: '',
      pattern: '^(https?://[^\\s?#]+|\\$\\{.*)?$',
      icon: 'cloud-upload',
      section: 'otlp',
      placeholder: 'http://collector:4318',
      hint: true,
    },
    /** `Authorization=Bearer%20…,X-Scope=1`, as in `OTEL_EXPORTER_OTLP_HEADERS`. */
    otlpHeaders: {
      kind: 'credential',
      secret: true,
      icon: 'key',
      section: 'otlp',
      hint: true,
    },
    /** Seconds between reads: with new entries, and without. */
    shortest: {
      kind: 'number',
      default: 0.5,
      least: 0.1,
      most: 3600,
      unit: 's',
      unitText: true,
      icon: 'fast-forward',
      section: 'advanced',
    },
    longest: {
      kind: 'number',
      default: 5,
      least: 0.1,
      most: 3600,
      unit: 's',
      unitText: true,
      icon: 'clock-o',
      section: 'advanced',
    },
    most: {
      kind: 'number',
      default: 10000,
      least: 100,
      most: 100000,
      whole: true,
      unit: '1',
      unitText: true,
      icon: 'arrows-v',
      section: 'advanced',
      hint: true,
    },
  },
} as const satisfies NodeDescription

export type LogWatchFields = FieldsOf<typeof logWatchNode>
export type LogWatchTexts = Translated<typeof logWatchNode, typeof en | typeof de>
export type LogWatchCredentials = CredentialsOf<typeof logWatchNode>
