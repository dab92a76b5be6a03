import type { FieldKind } from '../shared/field-kind'

/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const getStatusFields = {
  name: '',
  /** Id of a `vision-device-config` node. */
  device: '',
  what: 'node' as 'node' | 'system',
  pipeline: '0',
  pipelineType: 'str' as FieldKind,
  node: '',
  nodeType: 'str' as FieldKind,
  which: 'all' as 'one' | 'several' | 'all',
  /** Several are a text with commas, or an array. A dot leads into a part of the system: `ntp.synchronized`. */
  value: '',
  valueType: 'str' as FieldKind,
  /** The device gives the values of its nodes as texts. */
  shownAs: 'number' as 'number' | 'text',
  /** Seconds from one look to the next without a message; empty or 0 is on messages alone. */
  interval: '' as string | number,
  when: 'always' as 'always' | 'change',
  /** Numbers must change by at least so much, in their own unit; empty or 0 takes every change. */
  threshold: '' as string | number,
  /** Message property that takes the answer. */
  property: 'payload',
}
export type GetStatusFields = typeof getStatusFields
