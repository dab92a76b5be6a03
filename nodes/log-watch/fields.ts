import type { FieldKind } from '../shared/field-kind'

/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const logWatchFields = {
  name: '',
  /** Id of a `vision-device-config` node. */
  device: '',
  /** Empty is all logs of the device. */
  log: '',
  logType: 'str' as FieldKind,
  start: 'kept' as 'kept' | 'now' | 'last',
  /** Entries of each log, for the start `last`. */
  last: 100 as string | number,
  level: 'DEBUG' as 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'FATAL',
  /** Names with commas and `*`; empty is all. */
  component: '',
  componentType: 'str' as FieldKind,
  text: '',
  textType: 'str' as FieldKind,
  match: 'text' as 'text' | 'pattern',
  output: 'each' as 'each' | 'batch',
  /** Most entries of a batch. */
  batch: 100 as string | number,
  /** Entries within `seconds`; empty is without limit. */
  rate: '' as string | number,
  seconds: 60 as string | number,
  /** Pauses between two looks, seconds: while entries come, and while none do. */
  shortest: 0.5 as string | number,
  longest: 5 as string | number,
  /** Entries asked for at a time. */
  most: 10000 as string | number,
}
export type LogWatchFields = typeof logWatchFields
