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
    let isTold = false
    const once = (error: unknown) => {
      if (!isTold) failed(error)
      isTold = true
    }
    return goingOn(await openJournal(folder, id, { failed: once }), failed)
  } catch (error) {
    failed(error)
    return inMemory()
  }
}

/** A handshake goes on without its journal: a PLC that waits for an answer does not care for a full disk. */
function goingOn(journal: HandshakeJournal, failed: (error: unknown) => void): HandshakeJournal {
  let isTold = false
  return {
    get memory() {
      return journal.memory
    },
    append: (entry) => {
      try {
        journal.append(entry)
        isTold = false
      } catch (error) {
        if (!isTold) failed(error)
        isTold = true
      }
    },
    close: () => journal.close(),
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
