import { lstat, open, realpath, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Node, NodeAPI } from 'node-red'
import { below, openBelow, WayReplaced, writeBelow } from '../../lib/files/below-folder'
import { writeDurably } from '../../lib/files/write-durably'
import { allowedFolders } from './allowed-folders'
import { filePlace } from './file-place'
import { invalidInput } from './sentences'

/** A file that a node may read and write. Each use checks again where its path leads. */
export interface PlacedFile {
  /** Absolute path. */
  path: string
  /** Opens it for reading. @throws INVALID_INPUT if it is no longer allowed */
  open: () => Promise<FileHandle>
  /** Replaces it as a whole and creates missing folders. @throws INVALID_INPUT if it is no longer allowed */
  write: (content: string | Uint8Array) => Promise<void>
}

/**
 * Makes a path absolute for reading or writing.
 * @param typed whether it is typed in the dialog: such a path is the integrator's choice and may lead anywhere. It may
 * contain `${NAME}`, which no message can change either
 * @throws INVALID_INPUT for any other path outside the allowed folders, with symbolic links resolved
 */
export type FilePlacer = (path: string, typed: boolean) => Promise<PlacedFile>

/** Allows the files named in a node's dialog, and those below its comma-separated folders. */
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
    /** Neither the folder nor the path below it contains a link, unless somebody changes that at this moment. */
    const found = async () => {
      const path = await realPlace(file)
      const real = await Promise.all(allowed.map(realPlace))
      const folder = real.find((one) => one !== undefined && path !== undefined && below(one, path))
      // The same error whether or not the file exists, so that it does not reveal which.
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
 * The real path of an existing or future file, with symbolic links resolved as far as the path exists. Undefined for a
 * dangling link, because writing through it would create a file in an unknown place.
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
