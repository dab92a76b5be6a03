import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from './sync-folder'

/**
 * Makes a folder and those above it that are missing; they survive a power failure. Unlike `mkdir` with `recursive`,
 * it ends where the system refuses a folder as if its parent were missing.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await isMade(folder)) return
  await makeFolder(dirname(folder))
  if (!(await isMade(folder))) await mkdir(folder)
}

/** @returns false where its parent is missing */
async function isMade(folder: string): Promise<boolean> {
  // The root of a drive cannot be made; Windows does not say that it is there.
  if (dirname(folder) === folder) return true
  try {
    await mkdir(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    // Somebody else may have made it in this moment.
    if (code !== 'EEXIST') throw error
    return true
  }
  await syncFolder(dirname(folder))
  return true
}
