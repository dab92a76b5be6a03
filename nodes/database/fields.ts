import type { FieldKind } from '../shared/field-kind'
import type { RecordKind } from '../../lib/contract/reading/record-kinds'

/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const databaseFields = {
  name: '',
  /** Id of a `vision-device-config` node. */
  device: '',
  kind: 'region' as RecordKind,
  action: 'set' as 'set' | 'get' | 'delete',
  /** Several are a text with commas, or an array. */
  recordId: '',
  recordIdType: 'str' as FieldKind,
  from: 'form' as 'form' | 'message',
  /** The record as the device takes it, as JSON: metres and quaternions. */
  form: '{}',
  /** Unit of the lengths in the form. */
  unit: 'mm' as 'mm' | 'm',
  record: 'payload',
  recordType: 'msg' as FieldKind,
}
export type DatabaseFields = typeof databaseFields
