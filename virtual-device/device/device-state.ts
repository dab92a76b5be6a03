import { Type, type Static } from '../../lib/typebox'
import { ShelfState } from '../storage/file-shelf'
import { SystemState } from './system-state'

const NodeState = Type.Object({
  parameters: Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Number(), Type.String()])),
  /** What the module stores besides its parameters. */
  kept: Type.Optional(Type.Unknown()),
})

/** All that a device keeps across a restart. */
export const DeviceState = Type.Object({
  serial: Type.Optional(Type.String()),
  system: SystemState,
  /** By `global` or the pipeline's name, then by the bare name of the module. */
  nodes: Type.Record(Type.String(), Type.Record(Type.String(), NodeState)),
  files: Type.Optional(ShelfState),
})
export type DeviceState = Static<typeof DeviceState>
