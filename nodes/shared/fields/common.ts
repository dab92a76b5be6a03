import type { Field } from './description'
import { textKinds } from './kinds'

/** Id of the device that a node uses. */
export const deviceField = {
  kind: 'config',
  of: 'vision-device-config',
  required: true,
  icon: 'camera',
} as const satisfies Field

/** A pipeline of the device; if empty, the message has it. */
export const pipelineField = {
  kind: 'typed',
  default: '0',
  kinds: textKinds,
  optional: true,
  pick: 'pipeline',
  icon: 'code-fork',
  placeholder: true,
} as const satisfies Field

/** A node on the device; if empty, the message has it. */
export const nodeField = {
  kind: 'typed',
  default: '',
  kinds: textKinds,
  optional: true,
  pick: 'node',
  icon: 'cube',
  placeholder: true,
} as const satisfies Field

/** Longest time for the answer, seconds; empty uses the device's setting. */
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
