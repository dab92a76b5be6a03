import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder, syncFolder } from './write-durably'

/** A file that arrives in pieces: they are appended to `<file>.part`, which a later call continues. */
export interface PartialFile {
  read: (buffer: Buffer, offset: number, length: number, position: number) => Promise<{ bytesRead: number }>
  /** Bytes that have arrived. */
  size: () => Promise<number>
  append: (bytes: Uint8Array) => Promise<void>
  /** Removes what has arrived. */
  empty: () => Promise<void>
  /** Replaces the file by what has arrived; resolves when that would survive a power failure. */
  complete: () => Promise<void>
  close: () => Promise<void>
}

/** Opens a partial file, readable by this user only. Creates missing folders. */
export async function openPartialFile(file: string): Promise<PartialFile> {
  const part = `${file}.part`
  await makeFolder(dirname(file))
  const handle = await open(part, 'a+', 0o600)
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await handle.close()
  }
  return {
    read: (...where) => handle.read(...where),
    size: async () => (await handle.stat()).size,
    append: (bytes) => handle.appendFile(bytes),
    empty: () => handle.truncate(0),
    complete: async () => {
      await handle.sync()
      await close()
      await rename(part, file)
      await syncFolder(dirname(file))
    },
    close,
  }
}
