import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from './sync-folder'

/**
 * Creates a folder and its missing parents so that they survive a power failure. Unlike `mkdir` with `recursive`, it
 * ends if the system refuses a folder as though its parent were missing.
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
