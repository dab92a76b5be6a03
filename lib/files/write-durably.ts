import { randomBytes } from 'node:crypto'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { makeFolder } from './make-folder'
import { syncFolder } from './sync-folder'

/** Name of a file until it is complete; unique for each writer. */
export const unfinishedName = (file: string) => `${file}.${randomBytes(4).toString('hex')}.tmp`
const unfinishedEnding = /^\.[0-9a-f]{8}\.tmp$/

/**
 * Replaces a file as a whole, and resolves when the new one would survive a power failure. However the write ends,
 * readers find either the old file or the new one. Creates missing folders; leaves nothing behind if it fails.
 * @param mode permissions of the file. @default 0o666, less the umask of the process
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

/** Removes what a killed writer left behind. Only for files that nobody is writing at the moment. */
export async function removeUnfinished(file: string): Promise<void> {
  const folder = dirname(resolve(file))
  const name = basename(file)
  const isUnfinished = (one: string) => one.startsWith(name) && unfinishedEnding.test(one.slice(name.length))
  const names = await readdir(folder).catch(() => [])
  await Promise.all(names.filter(isUnfinished).map((one) => rm(join(folder, one), { force: true })))
}
