import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder, syncFolder } from './write-durably'

/** A file that arrives in pieces: appended to `<file>.part`, which a later call continues. */
export interface PartialFile {
  read: (buffer: Buffer, offset: number, length: number, position: number) => Promise<{ bytesRead: number }>
  size: () => Promise<number>
  append: (bytes: Uint8Array) => Promise<void>
  empty: () => Promise<void>
  /** Replaces the file by the received content; resolves when that would survive a power failure. */
  complete: () => Promise<void>
  close: () => Promise<void>
}

/** Readable by this user only. Creates missing folders. */
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
