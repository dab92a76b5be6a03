import { makeFolder } from '../../lib/files/make-folder'
import { nothingKnown, remembered } from '../../lib/plc/handshake'
import { openJournal, type HandshakeJournal } from '../../lib/plc/journal'

/**
 * The journal of a handshake below the user folder of Node-RED.
 * @param failed is told why where it cannot be kept; what has happened is then known until the next start only
 */
export async function journalOf(
  folder: string,
  id: string,
  failed: (error: unknown) => void,
): Promise<HandshakeJournal> {
  try {
    await makeFolder(folder)
    return await openJournal(folder, id)
  } catch (error) {
    failed(error)
    return inMemory()
  }
}

function inMemory(): HandshakeJournal {
  let memory = nothingKnown
  return {
    get memory() {
      return memory
    },
    append: (entry) => void (memory = remembered(memory, entry)),
    close: () => Promise.resolve(),
  }
}
