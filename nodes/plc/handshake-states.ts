import type { NodeAPI } from 'node-red'
import type { CellCounts } from '../../lib/plc/handshake/cell'
import type { Phase } from '../../lib/plc/handshake'
import { handshakeOf } from './handshake-of'
import { troubleOf, type HandshakeSnapshot } from './handshake-snapshot'
import { linkOf } from './link-of'

/** A deployed handshake in a line. */
export interface HandshakeState {
  phase: Phase
  link: HandshakeSnapshot['link']
  /** Why the link is down, in the language of the person. */
  trouble?: string
  counts: Pick<CellCounts, 'accepted' | 'missed'>
  /** Milliseconds of the last cycle that ended well. */
  lastDuration?: number
}
/** By the ids of the configuration nodes. */
export type HandshakeStates = Record<string, HandshakeState>

/** The states of all running handshakes. @param language of the editor */
export function handshakeStates(RED: NodeAPI, language?: string): HandshakeStates {
  const states: HandshakeStates = {}
  RED.nodes.eachNode(({ id, type }) => {
    if (type !== 'vision-plc-handshake') return
    const handshake = handshakeOf(RED, id)
    if (!handshake) return
    const { phase, counts, cell } = handshake
    const { accepted, missed } = counts
    const trouble = troubleOf(handshake, language)
    states[id] = {
      phase,
      link: linkOf(handshake),
      ...(trouble !== undefined && { trouble }),
      counts: { accepted, missed },
      ...(cell?.lastDuration !== undefined && { lastDuration: cell.lastDuration }),
    }
  })
  return states
}
