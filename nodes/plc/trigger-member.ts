import type { Node } from 'node-red'
import type { Cycle } from '../../lib/plc/handshake'
import type { CodeTable } from '../../lib/plc/codes'
import type { EndedCycle, ToldEvent } from '../../lib/plc/handshake/cell'
import type { Device } from '../device/device'

/** The one node that sends the triggers of a handshake to its flow. */
export interface TriggerMember {
  node: Node
  /** The cell is ready only while this device is; undefined: always. */
  device: Device | undefined
  /** A cycle begins. */
  started: (cycle: Cycle) => void
  /** Sends the message that prepares the device for triggers. @returns false where no node receives it */
  prepare: (token: string) => boolean
  /** The PLC is told how a cycle ended. @param reason of a failure, where it is known; otherwise empty */
  ended: (ended: EndedCycle, codes: CodeTable, reason: string) => void
  /** Something happened that people should know. */
  told: (told: ToldEvent) => void
  /** Phase, counters or link have changed. */
  changed: () => void
  /** The connection cannot be opened, or has failed. */
  trouble: (error: unknown) => void
}
