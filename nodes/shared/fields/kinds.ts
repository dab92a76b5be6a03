import type { FieldKind } from '../field-kind'

/** Where a text comes from. */
export const textKinds = ['str', 'msg', 'flow', 'global', 'jsonata', 'env'] as const satisfies FieldKind[]

/** Where a text comes from that is needed before there is a message. */
export const settingKinds = ['str', 'flow', 'global', 'jsonata', 'env'] as const satisfies FieldKind[]

/** Where one or several names come from. */
export const nameKinds = [
  'str',
  'json',
  'msg',
  'flow',
  'global',
  'jsonata',
  'env',
] as const satisfies FieldKind[]

/** Where an object comes from that is usually filled in by a form. */
export const formKinds = [
  'form',
  'msg',
  'flow',
  'global',
  'jsonata',
  'env',
  'json',
] as const satisfies FieldKind[]

/** Where something comes from that is usually in the message. */
export const messageKinds = [
  'msg',
  'flow',
  'global',
  'jsonata',
  'str',
  'json',
  'env',
] as const satisfies FieldKind[]
