import type { PlcCell } from '../../lib/plc/handshake/cell'

/** `unused`: no trigger node works with it, so that nothing is connected. */
export type HandshakeLink = 'up' | 'down' | 'unused'

export const linkOf = (handshake: { cell: PlcCell | undefined; isUsed: boolean }): HandshakeLink =>
  handshake.cell?.isUp ? 'up' : handshake.isUsed ? 'down' : 'unused'
