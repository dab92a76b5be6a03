import type { FieldKind } from '../shared/field-kind'

/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const pipelineFields = {
  name: '',
  /** Id of a `vision-device-config` node. */
  device: '',
  action: 'list' as 'list' | 'configure' | 'delete' | 'apply',
  pipeline: '',
  pipelineType: 'str' as FieldKind,
  /** Kind of sensor, as the device spells it. */
  kind: '',
  kindType: 'str' as FieldKind,
  restart: 'later' as 'later' | 'now',
  /** Seconds in which the device must be ready again. */
  readyWithin: 600 as string | number,
  /** A restart stops everything on the device. */
  confirmed: false,
  /** 2 where the steps of a restart have an output of their own. */
  outputs: 1,
}
export type PipelineFields = typeof pipelineFields
