import type { FieldKind } from '../shared/field-kind'

/** What the node can do, by the names in a message. */
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

/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const systemFields = {
  name: '',
  /** Id of a `vision-device-config` node. */
  device: '',
  action: 'info' as ActionName | 'message',
  /** Name of the action, where the message says it. */
  asked: 'action',
  askedType: 'msg' as FieldKind,
  /** The time, the servers, the settings or the licence, as the action needs it. */
  value: 'payload',
  valueType: 'msg' as FieldKind,
  /** A path that is not typed into the dialog lies below these folders, with commas between them. */
  folders: 'uploads',
  network: 'dhcp' as 'dhcp' | 'fixed' | 'object',
  ip: '',
  ipType: 'str' as FieldKind,
  mask: '255.255.255.0',
  maskType: 'str' as FieldKind,
  gateway: '',
  gatewayType: 'str' as FieldKind,
  /** Seconds in which the device must be ready again. */
  readyWithin: 600 as string | number,
  /** What can cut the device off must be confirmed. */
  confirmed: false,
  /** 2 where the steps of a restart have an output of their own. */
  outputs: 1,
}
export type SystemFields = typeof systemFields

/** What Node-RED stores apart, and encrypted. */
export const systemCredentials = { hash: { type: 'password' } } as const
export type SystemCredentials = Partial<Record<keyof typeof systemCredentials, string>>
