import { open, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, basename, join, resolve } from 'node:path'
import { randomBytes } from 'node:crypto'

/** Some systems cannot open folders; some file systems (mostly network ones) cannot flush them. */
const impossible = new Set(['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'])

/** Resolves when the names in a folder would survive a power failure, as far as the system can guarantee that. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!impossible.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/**
 * Like `mkdir` with `recursive`, but durable, and ends if the system refuses a folder as though its parent were
 * missing.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await isMade(folder)) return
  await makeFolder(dirname(folder))
  if (!(await isMade(folder))) await mkdir(folder)
}

/** @returns false if its parent is missing */
async function isMade(folder: string): Promise<boolean> {
  // The root of a drive cannot be created, and Windows does not report that it exists.
  if (dirname(folder) === folder) return true
  try {
    await mkdir(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    // Another process may have created it at this moment.
    if (code !== 'EEXIST') throw error
    return true
  }
  await syncFolder(dirname(folder))
  return true
}

/** Name of a file until it is complete; unique for each writer. */
export const unfinishedName = (file: string) => `${file}.${randomBytes(4).toString('hex')}.tmp`

const unfinishedEnding = /^\.[0-9a-f]{8}\.tmp$/

/**
 * Replaces a file as a whole, and resolves when the new one would survive a power failure. Readers always find either
 * the old file or the new one. Creates missing folders; leaves nothing behind if it fails.
 * @param mode permissions of the file. @default 0o666, less the umask
 */
export async function writeDurably(
  file: string,
  content: string | Uint8Array | Iterable<Uint8Array>,
  mode = 0o666,
): Promise<void> {
  const folder = dirname(resolve(file))
  await makeFolder(folder)
  const unfinished = unfinishedName(file)
  try {
    const handle = await open(unfinished, 'wx', mode)
    try {
      const parts = typeof content === 'string' || content instanceof Uint8Array ? [content] : content
      for (const part of parts) await handle.appendFile(part)
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

/** Removes what a killed writer left behind. Only for files without a current writer. */
export async function removeUnfinished(file: string): Promise<void> {
  const folder = dirname(resolve(file))
  const name = basename(file)
  const isUnfinished = (one: string) => one.startsWith(name) && unfinishedEnding.test(one.slice(name.length))
  const names = await readdir(folder).catch(() => [])
  await Promise.all(names.filter(isUnfinished).map((one) => rm(join(folder, one), { force: true })))
}
