import type { FieldKind } from '../shared/field-kind'

/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const deviceRequestFields = {
  name: '',
  /** Id of a `vision-device-config` node. */
  device: '',
  /** Id of an operation; empty takes it from `msg.operation`. */
  operation: '',
  /** What goes into the operation: path parameters, query and body in one object. */
  input: '{}',
  inputType: 'json' as FieldKind,
  /** A path that is not typed into the dialog lies below these folders, with commas between them. */
  folders: 'uploads',
  /** Seconds; empty takes the device's. */
  deadline: '' as string | number,
  /** What can cut the device off or replaces its settings must be confirmed. */
  confirmed: false,
}
export type DeviceRequestFields = typeof deviceRequestFields
