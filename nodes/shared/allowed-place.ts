import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Node, NodeAPI } from 'node-red'
import { below } from '../../lib/firmware/below'
import { allowedFolders } from './allowed-folders'
import { filePlace } from './file-place'
import { invalidInput } from './node-error'

/**
 * Makes a path absolute for reading or writing.
 * @param typed whether it is a text of the dialog: that is what the integrator wants, wherever it leads. It may have
 * `${NAME}` in it, which no message can change either
 * @throws INVALID_INPUT for any other path that does not lie below the allowed folders, symbolic links followed
 */
export type Place = (path: string, typed: boolean) => Promise<string>

/** Where a node may read and write: what its dialog names, and below its folders, with commas between them. */
export const allowedPlace =
  (RED: NodeAPI, node: Node, folders: string): Place =>
  async (path, typed) => {
    const file = filePlace(RED, path)
    if (typed) return file
    if (path.split(/[\\/]/).includes('..')) throw invalidInput('place-goes-up', { file: path })
    const allowed = allowedFolders(RED, node, folders)
    if (allowed.length === 0) throw invalidInput('place-no-folders', { file })
    const place = await realPlace(file)
    const real = await Promise.all(allowed.map(realPlace))
    // The same sentence whether it is there or not: whoever may not read there is not told what is there.
    if (place === undefined || !real.some((folder) => folder !== undefined && below(folder, place)))
      throw invalidInput('place-not-allowed', { file, folders: allowed.join(', ') })
    return place
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
