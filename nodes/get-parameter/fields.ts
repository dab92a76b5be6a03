import type { FieldKind } from '../shared/field-kind'

/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const getParameterFields = {
  name: '',
  /** Id of a `vision-device-config` node. */
  device: '',
  pipeline: '0',
  pipelineType: 'str' as FieldKind,
  /** Several nodes are a text with commas, an array, or an object of nodes and their parameters. */
  node: '',
  nodeType: 'str' as FieldKind,
  which: 'one' as 'one' | 'several' | 'all' | 'nodes',
  /** Several are a text with commas, or an array. */
  parameter: '',
  parameterType: 'str' as FieldKind,
  output: 'value' as 'value' | 'record',
  /** Message property that takes the answer. */
  property: 'payload',
}
export type GetParameterFields = typeof getParameterFields
