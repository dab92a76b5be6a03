import type { FieldKind } from '../shared/field-kind'

/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const setParameterFields = {
  name: '',
  /** Id of a `vision-device-config` node. */
  device: '',
  pipeline: '0',
  pipelineType: 'str' as FieldKind,
  node: '',
  nodeType: 'str' as FieldKind,
  which: 'one' as 'one' | 'several' | 'nodes',
  parameter: '',
  parameterType: 'str' as FieldKind,
  /** For several: an object of names and values; for nodes: an object of nodes with such objects. */
  value: 'payload',
  valueType: 'msg' as FieldKind,
  /** Of several nodes: undoes what was written where a later one refuses. */
  putsBack: true,
}
export type SetParameterFields = typeof setParameterFields
