import type { FieldKind } from '../shared/field-kind'

/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const callServiceFields = {
  name: '',
  /** Id of a `vision-device-config` node. */
  device: '',
  pipeline: '0',
  pipelineType: 'str' as FieldKind,
  node: '',
  nodeType: 'str' as FieldKind,
  service: '',
  serviceType: 'str' as FieldKind,
  args: '{}',
  argsType: 'json' as FieldKind,
  /** Starts a module that refuses because it is idle, and calls then. */
  startsModule: true,
  onRefusal: 'error' as 'error' | 'output',
  /** Seconds; empty takes the device's. */
  deadline: '' as string | number,
  /** 2 where refusals have an output of their own. */
  outputs: 1,
}
export type CallServiceFields = typeof callServiceFields
