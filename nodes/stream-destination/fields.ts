import type { FieldKind } from '../shared/field-kind'

/** What the node can do with the destinations of a stream; `message` is what `msg.action` says. */
export type StreamAction = 'keep' | 'add' | 'remove' | 'clear' | 'list' | 'message'

/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const streamDestinationFields = {
  name: '',
  /** Id of a `vision-device-config` node. */
  device: '',
  stream: 'pose',
  streamType: 'str' as FieldKind,
  action: 'keep' as StreamAction,
  /** `<ip>:<port>`, or a port of this computer alone. */
  destination: '',
  destinationType: 'str' as FieldKind,
}
export type StreamDestinationFields = typeof streamDestinationFields
