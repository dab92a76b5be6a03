import type { FieldKind } from '../field-kind'

/** Sources of a text. */
export const textKinds = ['str', 'msg', 'flow', 'global', 'jsonata', 'env'] as const satisfies FieldKind[]

/** Sources of a text that is needed before there is a message. */
export const settingKinds = ['str', 'flow', 'global', 'jsonata', 'env'] as const satisfies FieldKind[]

/** Sources of one or several names. */
export const nameKinds = [
  'str',
  'json',
  'msg',
  'flow',
  'global',
  'jsonata',
  'env',
] as const satisfies FieldKind[]

/** Sources of an object that is usually filled in with a form. */
export const formKinds = [
  'form',
  'msg',
  'flow',
  'global',
  'jsonata',
  'env',
  'json',
] as const satisfies FieldKind[]

/** Sources of something that is usually in the message. */
export const messageKinds = [
  'msg',
  'flow',
  'global',
  'jsonata',
  'str',
  'json',
  'env',
] as const satisfies FieldKind[]
