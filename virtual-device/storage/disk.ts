import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** As `mkdir` with `recursive`, which does not end where the system refuses a folder as if its parent were missing. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    await makeFolder(dirname(folder))
    await mkdir(folder)
  }
}

/** Writes a file, or takes a folder as it is, and ends when it would survive a power failure. */
export async function flushed(place: string, content?: string | Uint8Array): Promise<void> {
  // Folders cannot be opened on Windows, and need not be.
  if (content === undefined && process.platform === 'win32') return
  const handle = await open(place, content === undefined ? 'r' : 'w')
  try {
    if (content !== undefined) await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
