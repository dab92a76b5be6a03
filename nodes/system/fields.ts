import { deviceField, type NodeDescription, textKinds } from '../shared/fields/description'
import type { CredentialsOf, FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/system.json'
import type en from './locales/en-US/system.json'

/** Names in a message. */
export const actionNames = [
  'info',
  'reboot',
  'getTime',
  'setTime',
  'getNtp',
  'setNtp',
  'getDns',
  'setDns',
  'getNetwork',
  'setNetwork',
  'getLicense',
  'uploadLicense',
  'getUiLock',
  'checkUiLock',
  'setUiLock',
  'removeUiLock',
] as const
export type ActionName = (typeof actionNames)[number]

export const systemNode = {
  type: 'system',
  group: 'maintenance',
  icon: 'vision-system.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['done', 'steps'],
  secondOutputWhen: 'action=reboot|message',
  fields: {
    device: deviceField,
    action: {
      kind: 'choice',
      default: 'info',
      choices: [...actionNames, 'message'],
      icon: 'play',
    },
    /** If the message decides. */
    asked: {
      kind: 'typed',
      default: 'action',
      kinds: ['msg', 'flow', 'global', 'jsonata', 'env', 'str'],
      icon: 'question',
      when: 'action=message',
      hint: true,
    },
    network: {
      kind: 'choice',
      default: 'dhcp',
      choices: ['dhcp', 'fixed', 'object'],
      icon: 'sitemap',
      when: 'action=setNetwork',
    },
    ip: {
      kind: 'typed',
      default: '',
      kinds: textKinds,
      icon: 'globe',
      when: 'action=setNetwork&network=fixed',
      placeholder: true,
    },
    mask: {
      kind: 'typed',
      default: '255.255.255.0',
      kinds: textKinds,
      icon: 'th',
      when: 'action=setNetwork&network=fixed',
    },
    gateway: {
      kind: 'typed',
      default: '',
      kinds: textKinds,
      optional: true,
      icon: 'random',
      when: 'action=setNetwork&network=fixed',
      placeholder: true,
    },
    /** Time, servers, settings or licence, depending on the action. */
    value: {
      kind: 'typed',
      default: 'payload',
      kinds: ['msg', 'str', 'json', 'flow', 'global', 'jsonata', 'env'],
      optional: true,
      icon: 'sign-in',
      when: 'action=setTime|setNtp|setDns|uploadLicense|message ; action=setNetwork & network=object',
      hint: {
        setTime: 'action=setTime',
        servers: 'action=setNtp|setDns',
        setNetwork: 'action=setNetwork',
        uploadLicense: 'action=uploadLicense',
        value: 'action=message',
      },
    },
    /** Comma-separated; paths that are not entered in the dialog must lie below one of them. */
    folders: {
      kind: 'text',
      default: 'uploads',
      icon: 'folder-open-o',
      when: 'action=uploadLicense|message&valueType=msg|json|flow|global|jsonata|env',
      placeholder: true,
      hint: true,
    },
    hash: {
      kind: 'credential',
      secret: true,
      icon: 'key',
      when: 'action=checkUiLock|setUiLock|message',
      hint: true,
    },
    /** Seconds. */
    readyWithin: {
      kind: 'number',
      default: 600,
      least: 1,
      most: 86400,
      unit: 's',
      icon: 'clock-o',
      when: 'action=reboot|message',
    },
    /** For actions that can disconnect the device. */
    confirmed: {
      kind: 'switch',
      default: false,
      neededWhen: 'action=reboot|setNetwork|setUiLock|removeUiLock',
      icon: 'exclamation-triangle',
      when: 'action=reboot|setNetwork|setUiLock|removeUiLock|message',
      hint: true,
    },
  },
} as const satisfies NodeDescription

export type SystemFields = FieldsOf<typeof systemNode>
export type SystemTexts = Translated<typeof systemNode, typeof en | typeof de>
export type SystemCredentials = CredentialsOf<typeof systemNode>
