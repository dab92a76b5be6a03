import { close, fdatasync, fstatSync, ftruncateSync, openSync, truncateSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { removeUnfinished, writeDurably } from './write-durably'

const flush = promisify(fdatasync)
const shut = promisify(close)

/** Files to which lines are appended, by name. */
export interface LineFiles {
  /** For messages. */
  folder: string
  /** Undefined if there is no such file. */
  read: (name: string) => Promise<string | undefined>
  /** Replaces the content. Resolves when the line would survive a power failure. */
  replace: (name: string, line: string) => Promise<void>
  /**
   * Appends a line that survives the end of this program, in some microseconds. If it cannot be written as a whole,
   * nothing remains that could damage the next one.
   */
  append: (name: string, line: string) => void
  /** Resolves when the appended lines would survive a power failure. */
  sync: (name: string) => Promise<void>
  /** Empties a file that could not be written, if possible, because its content is outdated. */
  spoil: (name: string) => void
  close: () => Promise<void>
}

/** The files of a folder, readable by this user only. One program at a time may use them. */
export function lineFiles(folder: string): LineFiles {
  const descriptors = new Map<string, number>()
  const pathOf = (name: string) => join(folder, name)

  const descriptorOf = (name: string) => {
    const descriptor = descriptors.get(name) ?? openSync(pathOf(name), 'a', 0o600)
    descriptors.set(name, descriptor)
    return descriptor
  }
  const release = async (name: string) => {
    const descriptor = descriptors.get(name)
    descriptors.delete(name)
    if (descriptor !== undefined) await shut(descriptor)
  }

  return {
    folder,
    read: async (name) => {
      await removeUnfinished(pathOf(name))
      try {
        return await readFile(pathOf(name), 'utf8')
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
        throw error
      }
    },
    replace: async (name, line) => {
      await release(name)
      await writeDurably(pathOf(name), `${line}\n`, 0o600)
    },
    append: (name, line) => {
      const bytes = Buffer.from(`${line}\n`)
      const descriptor = descriptorOf(name)
      let from = 0
      try {
        // A disk that is nearly full may take a part.
        while (from < bytes.length) from += writeSync(descriptor, bytes, from)
      } catch (error) {
        if (from > 0) ftruncateSync(descriptor, fstatSync(descriptor).size - from)
        throw error
      }
    },
    sync: (name) => flush(descriptorOf(name)),
    spoil: (name) => {
      try {
        truncateSync(pathOf(name))
      } catch {
        // A file that cannot be written usually cannot be emptied either.
      }
    },
    close: async () => {
      for (const name of [...descriptors.keys()]) await release(name)
    },
  }
}
