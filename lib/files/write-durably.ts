import { randomBytes } from 'node:crypto'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { makeFolder } from './make-folder'
import { syncFolder } from './sync-folder'

/** What a file is called until it is whole; a name of its own for each writer. */
const unfinishedName = (file: string) => `${file}.${randomBytes(4).toString('hex')}.tmp`
const unfinishedEnding = /^\.[0-9a-f]{8}\.tmp$/

/**
 * Replaces a file as a whole, and ends when it would survive a power failure. Whoever reads it, however the writing
 * ends, finds the old file or the new one. Folders that are missing are made; where it fails, nothing is left behind.
 * @param mode permissions of the file. @default 0o666, less what the process may not grant
 */
export async function writeDurably(file: string, content: string | Uint8Array, mode = 0o666): Promise<void> {
  const folder = dirname(resolve(file))
  await makeFolder(folder)
  const unfinished = unfinishedName(file)
  try {
    const handle = await open(unfinished, 'wx', mode)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  await syncFolder(folder)
}

/** Removes what a writer left behind that was killed. For files that nobody writes at this moment. */
export async function removeUnfinished(file: string): Promise<void> {
  const folder = dirname(resolve(file))
  const name = basename(file)
  const isUnfinished = (one: string) => one.startsWith(name) && unfinishedEnding.test(one.slice(name.length))
  const names = await readdir(folder).catch(() => [])
  await Promise.all(names.filter(isUnfinished).map((one) => rm(join(folder, one), { force: true })))
}
