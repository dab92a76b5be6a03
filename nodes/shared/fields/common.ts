import type { Field } from './description'
import { textKinds } from './kinds'

/** Id of the device that a node works on. */
export const deviceField = {
  kind: 'config',
  of: 'vision-device-config',
  required: true,
  icon: 'camera',
} as const satisfies Field

/** The pipeline of a device; empty takes it from the message. */
export const pipelineField = {
  kind: 'typed',
  default: '0',
  kinds: textKinds,
  optional: true,
  pick: 'pipeline',
  icon: 'code-fork',
  placeholder: true,
} as const satisfies Field

/** A node on the device; empty takes it from the message. */
export const nodeField = {
  kind: 'typed',
  default: '',
  kinds: textKinds,
  optional: true,
  pick: 'node',
  icon: 'cube',
  placeholder: true,
} as const satisfies Field

/** Longest time for the answer, seconds; empty takes the device's. */
export const deadlineField = {
  kind: 'number',
  default: '',
  least: 0.01,
  most: 3600,
  unit: 's',
  unitText: true,
  optional: true,
  icon: 'clock-o',
} as const satisfies Field
