import { remembered, nothingKnown } from '../../lib/plc/handshake'
import type { HandshakeJournal } from './deployed-handshake'

const memories = new Map<string, HandshakeJournal['memory']>()

export function openJournal(_folder: string, id: string): HandshakeJournal {
  return {
    memory: memories.get(id) ?? nothingKnown,
    append: (entry) => memories.set(id, remembered(memories.get(id) ?? nothingKnown, entry)),
    close: () => undefined,
  }
}
