import type { PlcPort, PortEvents } from '../../lib/plc/handshake/ports'
import type { CodeTable } from '../../lib/plc/codes'
import type { OpenMap, PlcMap } from '../../lib/plc/data'
import type { Family } from '../../lib/plc/families'
import type { PlcSays } from '../../lib/plc/rows'
import type { VirtualPlcOptions } from '../../lib/plc/virtual/virtual-plc'

/** A configuration, read and checked. */
export interface HandshakeSettings {
  family: Family
  map: OpenMap
  /** The same, as it was entered. */
  plcMap: PlcMap
  codes: CodeTable
  openPort: (events: PortEvents, known?: PlcSays) => Promise<PlcPort> | PlcPort
  deadline: number
  minimumDone: number
  release: number
  plcLife: number
  onDrop: 'finish' | 'abort'
  whileBusy: 'refuse' | 'queue'
  /** How a virtual PLC on this computer plays the other side. @throws INVALID_INPUT where it cannot */
  virtualPlc: () => VirtualPlcOptions
}
