import type { Node } from 'node-red'
import type { Cycle } from '../../lib/plc/handshake'
import type { ToldEvent } from '../../lib/plc/cell/cell'
import type { Device } from '../device/device'

/** The one node that sends the triggers of a handshake to its flow. */
export interface TriggerMember {
  node: Node
  /** The cell is ready only while this device is; undefined: always. */
  device: Device | undefined
  /** A cycle begins. */
  started: (cycle: Cycle) => void
  /** Something happened that people should know. */
  told: (told: ToldEvent) => void
  /** Phase, counters or link have changed. */
  changed: () => void
  /** The connection cannot be opened, or is in trouble. */
  trouble: (error: unknown) => void
}
