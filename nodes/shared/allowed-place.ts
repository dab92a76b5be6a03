import { lstat, open, realpath, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Node, NodeAPI } from 'node-red'
import { openBelow, WayReplaced, writeBelow } from '../../lib/files/below-folder'
import { writeDurably } from '../../lib/files/write-durably'
import { below } from '../../lib/firmware/below'
import { allowedFolders } from './allowed-folders'
import { filePlace } from './file-place'
import { invalidInput } from './sentences'

/** A file that a node may read and write. Each time it is checked anew where its path leads. */
export interface PlacedFile {
  /** Absolute. */
  path: string
  /** Opens it for reading. @throws INVALID_INPUT where it is not allowed any more */
  open: () => Promise<FileHandle>
  /** Replaces it as a whole; folders are made. @throws INVALID_INPUT where it is not allowed any more */
  write: (content: string) => Promise<void>
}

/**
 * Makes a path absolute for reading or writing.
 * @param typed whether it is a text of the dialog: that is what the integrator wants, wherever it leads. It may have
 * `${NAME}` in it, which no message can change either
 * @throws INVALID_INPUT for any other path that does not lie below the allowed folders, symbolic links followed
 */
export type FilePlacer = (path: string, typed: boolean) => Promise<PlacedFile>

/** Where a node may read and write: what its dialog names, and below its comma-separated folders. */
export const allowedPlace =
  (RED: NodeAPI, node: Node, folders: string): FilePlacer =>
  async (given, typed) => {
    const file = filePlace(RED, given)
    if (typed)
      return { path: file, open: () => open(file, 'r'), write: (content) => writeDurably(file, content) }
    if (given.split(/[\\/]/).includes('..')) throw invalidInput('place-goes-up', { file: given })
    const allowed = allowedFolders(RED, node, folders)
    if (allowed.length === 0) throw invalidInput('place-no-folders', { file })

    const refused = () => invalidInput('place-not-allowed', { file, folders: allowed.join(', ') })
    /** Of one folder and the place below it nothing is a link, unless somebody changes that in this moment. */
    const found = async () => {
      const path = await realPlace(file)
      const real = await Promise.all(allowed.map(realPlace))
      const folder = real.find((one) => one !== undefined && path !== undefined && below(one, path))
      // The same sentence whether it is there or not: whoever may not read there is not told what is there.
      if (path === undefined || folder === undefined) throw refused()
      return { folder, path }
    }
    const inside = async <Result>(use: (folder: string, path: string) => Promise<Result>) => {
      const { folder, path } = await found()
      try {
        return await use(folder, path)
      } catch (error) {
        throw error instanceof WayReplaced ? refused() : error
      }
    }
    return {
      path: (await found()).path,
      open: () => inside(openBelow),
      write: (content) => inside((folder, path) => writeBelow(folder, path, content)),
    }
  }

/**
 * The real path of what is there or will be there, symbolic links followed as far as there is something. Undefined
 * for a link that leads nowhere: what is written there would arise in an unknown place.
 */
async function realPlace(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined)
  if (real !== undefined) return real
  const isLink = await lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  )
  const parent = dirname(path)
  if (isLink || parent === path) return undefined
  const within = await realPlace(parent)
  return within === undefined ? undefined : join(within, basename(path))
}
