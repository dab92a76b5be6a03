import type { FieldKind } from '../shared/field-kind'

/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const streamReceiveFields = {
  name: '',
  /** Id of a `vision-device-config` node. */
  device: '',
  stream: 'pose',
  streamType: 'str' as FieldKind,
  /** Every message, the newest at a rate, or batches. */
  output: 'every' as 'every' | 'rate' | 'batch',
  /** Messages per second. */
  rate: 10,
  /** Messages in a batch; empty is as many as come in `seconds`. */
  count: '' as number | string,
  /** Longest time to collect a batch; empty is until `count` is reached. */
  seconds: 1 as number | string,
  /** Seconds from one message with statistics to the next; 0 is none. */
  statistics: 5,
  /** `keep`: the node adds itself on the device and stays listed there. */
  destination: 'keep' as 'keep' | 'none',
  /** UDP port; 0 is any that is free. */
  port: 0,
  /** Own address to listen on; empty is the one that leads to the device. */
  address: '',
  /** Whose datagrams are taken. */
  from: 'device' as 'device' | 'hosts' | 'all',
  /** Further hosts, with commas between them. */
  hosts: '',
}
export type StreamReceiveFields = typeof streamReceiveFields
