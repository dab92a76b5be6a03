import type { CodeTable } from '../../lib/plc/codes'
import type { EndedCycle, ToldEvent } from '../../lib/plc/handshake/cell'

/** Somebody who only looks at a handshake, beside the one node that sends its triggers. */
export interface HandshakeWatcher {
  /** Phase, counters, link or device have changed. */
  changed: () => void
  /** The PLC is told how a cycle ended. @param reason of a failure, where it is known; otherwise empty */
  ended: (ended: EndedCycle, codes: CodeTable, reason: string) => void
  /** Something happened that people should know. */
  told: (told: ToldEvent) => void
}
