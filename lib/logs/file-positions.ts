import { createHash } from 'node:crypto'
import { bootId } from '../files/boot-id'
import { lineFiles, type LineFiles } from '../files/line-files'
import type { RememberedEntries } from './memory'
import { positionLines, readPosition } from './position-lines'
import type { Positions } from './positions'

/** File names of this length are allowed everywhere. */
const longestName = 150

/** A unique file name for a log, even if the system ignores upper and lower case. */
function nameOf(log: string): string {
  const plain = /[a-z0-9_-]/
  const name = Array.from(Buffer.from(log), (byte) => {
    const character = String.fromCharCode(byte)
    return plain.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`
  }).join('')
  const short = name.length > longestName ? createHash('sha256').update(log).digest('hex') : name
  return `${short}.position`
}

/** Records after which a file is rewritten, so that it does not grow for ever. */
const tidyAfter = 4000

/**
 * Saves positions in a folder, one file per log.
 * @param device whose logs they are; positions of another device are ignored
 */
export const filePositions = (folder: string, device: string): Positions =>
  positionsIn(lineFiles(folder), device, bootId())

/** @param boot the present run of the computer; undefined if the system does not identify it */
export function positionsIn(files: LineFiles, device: string, boot: string | undefined): Positions {
  /** Logs whose files are up to date. */
  const sound = new Map<string, { items: number; isSynced: boolean }>()

  /**
   * After a failed write the file is spoiled so that it does not state an old position; it is rewritten as soon as
   * possible.
   */
  const spoiled = (log: string, error: unknown): never => {
    sound.delete(log)
    files.spoil(nameOf(log))
    throw error
  }
  const append = (log: string, line: string, items: number, mayWait = false) => {
    const state = sound.get(log)
    if (!state) return
    try {
      files.append(nameOf(log), line)
    } catch (error) {
      spoiled(log, error)
    }
    state.items += items
    state.isSynced &&= mayWait
  }
  const sync = async (log: string) => {
    const state = sound.get(log)
    if (!state || state.isSynced) return
    await files.sync(nameOf(log)).catch((error: unknown) => spoiled(log, error))
    state.isSynced = true
  }
  const replace = async (log: string, kept: RememberedEntries) => {
    const line = positionLines.first(device, kept)
    await files.replace(nameOf(log), line).catch((error: unknown) => spoiled(log, error))
    sound.set(log, { items: 0, isSynced: true })
  }

  return {
    folder: files.folder,
    load: async (log) => {
      const text = await files.read(nameOf(log))
      const saved = text === undefined ? undefined : readPosition(text, device, boot)
      // What follows a torn line would not be read.
      if (saved && saved !== 'damaged') await replace(log, saved.kept)
      return saved
    },
    replace,
    announce: async (log, kept, entries) => {
      if (!sound.has(log)) await replace(log, kept)
      append(log, positionLines.announced(entries, boot), entries.length)
      await sync(log)
    },
    leaving: (log, left, leaving) => append(log, positionLines.leaving(left, leaving), 1),
    // If this record is lost, nothing is delivered again.
    moved: (log, left, others) => append(log, positionLines.moved(left, others), others.length, true),
    end: async (log, kept) => {
      if ((sound.get(log)?.items ?? Infinity) > tidyAfter) await replace(log, kept)
      else await sync(log)
    },
    rest: (log) => append(log, positionLines.rested(boot), 1),
    close: () => files.close(),
  }
}
