import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces a file as a whole; ends when it would survive a power failure. Whoever reads it finds the old or the new. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true })
  const temporary = `${file}.new`
  await synced(temporary, 'w', text)
  await rename(temporary, file)
  // Folders cannot be opened on Windows, and need not be.
  if (process.platform !== 'win32') await synced(folder, 'r')
}

async function synced(place: string, flags: 'r' | 'w', text?: string): Promise<void> {
  const handle = await open(place, flags)
  try {
    if (text !== undefined) await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
