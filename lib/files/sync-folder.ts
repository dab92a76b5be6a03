import { open } from 'node:fs/promises'

/** Some systems do not open folders, some file systems (of networks mostly) do not flush them. */
const impossible = new Set(['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'])

/** Ends when the names in a folder would survive a power failure, where the system can promise that at all. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    if (!impossible.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
