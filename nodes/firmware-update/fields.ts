import { modes } from '../../lib/firmware/types'
import { deviceField, type NodeDescription, textKinds } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/firmware-update.json'
import type en from './locales/en-US/firmware-update.json'

export const firmwareUpdateNode = {
  type: 'firmware-update',
  group: 'maintenance',
  icon: 'vision-firmware.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['done', 'progress'],
  fields: {
    device: deviceField,
    mode: {
      kind: 'choice',
      default: 'update',
      choices: modes,
      icon: 'play',
    },
    /** The artifact: path of a file, or its bytes. */
    source: {
      kind: 'typed',
      default: 'payload',
      kinds: ['msg', 'str', 'flow', 'global', 'jsonata', 'env'],
      icon: 'file-archive-o',
      when: 'mode=update|check|upload',
      placeholder: true,
      hint: true,
      optional: true,
      neededWhen: 'mode=update|upload',
    },
    /** Comma-separated folders below which files are read. */
    folders: {
      kind: 'text',
      default: '',
      icon: 'folder-open-o',
      when: 'mode=update|check|upload',
      placeholder: true,
      hint: true,
    },
    size: {
      kind: 'typed',
      default: '',
      kinds: textKinds,
      optional: true,
      icon: 'balance-scale',
      when: 'mode=update|check|upload',
      placeholder: true,
    },
    sha256: {
      kind: 'typed',
      default: '',
      kinds: textKinds,
      optional: true,
      icon: 'key',
      when: 'mode=update|check|upload',
      placeholder: true,
    },
    /** The expected artifact; empty fields are not checked. */
    version: {
      kind: 'typed',
      default: '',
      kinds: textKinds,
      optional: true,
      icon: 'flag',
      when: 'mode=update|upload|activate',
      placeholder: true,
    },
    /** Who confirms: each message with `msg.confirm`, or this setting for all messages. */
    confirmed: {
      kind: 'switch',
      default: false,
      icon: 'exclamation-triangle',
      when: 'mode=update|upload|activate|rollback',
      hint: true,
    },
    onUnhealthy: {
      kind: 'choice',
      default: 'keep',
      choices: ['keep', 'rollback'],
      icon: 'heartbeat',
      when: 'mode=update|activate',
      section: 'afterwards',
    },
    onChanged: {
      kind: 'choice',
      default: 'list',
      choices: ['list', 'unhealthy'],
      icon: 'sliders',
      when: 'mode=update|activate|rollback',
      section: 'afterwards',
    },
    allowFallback: { kind: 'switch', default: false, icon: 'history', section: 'afterwards', hint: true },
    /** Names of devices to be updated in waves; empty for the one device. */
    devices: {
      kind: 'typed',
      default: '',
      kinds: textKinds,
      optional: true,
      icon: 'sitemap',
      section: 'several',
      placeholder: true,
      hint: true,
    },
    atOnce: {
      kind: 'number',
      default: 1,
      least: 1,
      most: 1000,
      whole: true,
      unit: '1',
      unitText: true,
      icon: 'clone',
      section: 'several',
    },
    stopAfter: {
      kind: 'number',
      default: 1,
      least: 1,
      most: 1000,
      whole: true,
      unit: '1',
      unitText: true,
      icon: 'hand-paper-o',
      section: 'several',
    },
    /** Waits between waves for a message with the topic `approve`. */
    approval: { kind: 'switch', default: false, icon: 'pause', section: 'several', hint: true },
    /** Seconds for which the device may keep a run waiting: unreachable, or restarting. */
    patience: {
      kind: 'number',
      default: 600,
      least: 1,
      most: 86400,
      unit: 's',
      unitText: true,
      icon: 'hourglass-half',
      section: 'times',
      hint: true,
    },
    /** Seconds without progress after which an upload is begun again. */
    stall: {
      kind: 'number',
      default: 30,
      least: 1,
      most: 3600,
      unit: 's',
      icon: 'clock-o',
      when: 'mode=update|upload',
      section: 'times',
      hint: true,
    },
  },
} as const satisfies NodeDescription

export type FirmwareUpdateFields = FieldsOf<typeof firmwareUpdateNode>
export type FirmwareUpdateTexts = Translated<typeof firmwareUpdateNode, typeof en | typeof de>
