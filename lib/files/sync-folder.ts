import { open } from 'node:fs/promises'

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
