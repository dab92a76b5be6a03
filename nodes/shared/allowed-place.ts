import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Node, NodeAPI } from 'node-red'
import { orUndefined } from '../../lib/kernel/scope'
import { below, openBelow, PathComponentReplaced, writeBelow } from '../../lib/files/below-folder'
import { writeDurably } from '../../lib/files/write-durably'
import { environmentText } from './read-fields'
import { invalidInput } from './sentences'

/** Absolute paths. */
export const allowedFolders = (RED: NodeAPI, node: Node, folders: string): string[] =>
  environmentText(RED, node, 'folders', folders)
    .split(',')
    .map((folder) => folder.trim())
    .filter(Boolean)
    .map((folder) => filePlace(RED, folder))

/** Each use checks again where the path leads. */
export interface PlacedFile {
  /** Absolute path. */
  path: string
  /** @throws INVALID_INPUT if no longer allowed */
  open: () => Promise<FileHandle>
  /** Replaces the whole file and creates folders. @throws INVALID_INPUT if no longer allowed */
  write: (content: string | Uint8Array) => Promise<void>
}

/**
 * @param typed in the dialog: the integrator's choice, which may lead anywhere; `${NAME}` in it cannot be changed by messages
 * @throws INVALID_INPUT for other paths outside the allowed folders, with symbolic links resolved
 */
type FilePlacer = (path: string, typed: boolean) => Promise<PlacedFile>

/** Files named in the dialog, and those below its comma-separated folders. */
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
    /** Free of links, unless that changes at this moment. */
    const found = async () => {
      const path = await realPlace(file)
      const real = await Promise.all(allowed.map(realPlace))
      const folder = real.find((one) => one !== undefined && path !== undefined && below(one, path))
      // The same error for existing and missing files, so that it reveals nothing.
      if (path === undefined || folder === undefined) throw refused()
      return { folder, path }
    }
    const inside = async <Result>(use: (folder: string, path: string) => Promise<Result>) => {
      const { folder, path } = await found()
      try {
        return await use(folder, path)
      } catch (error) {
        throw error instanceof PathComponentReplaced ? refused() : error
      }
    }
    return {
      path: (await found()).path,
      open: () => inside(openBelow),
      write: (content) => inside((folder, path) => writeBelow(folder, path, content)),
    }
  }

/** Resolves links as far as the path exists. Undefined for a dangling link: writing would create a file in an unknown place. */
async function realPlace(path: string): Promise<string | undefined> {
  const real = await orUndefined(realpath(path))
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

interface Folders {
  fileWorkingDirectory?: string
  userDir?: string
}

/** Relative to `fileWorkingDirectory`, otherwise to Node-RED's user folder. */
export function filePlace(RED: NodeAPI, path: string): string {
  const { fileWorkingDirectory, userDir } = RED.settings as Folders
  return resolve(fileWorkingDirectory ?? userDir ?? '', path)
}

interface OwnDevice {
  host: string
  port: number
  /** First image port, once started; undefined if it has none or did not start. */
  images: Promise<number | undefined>
}

const devices = new Map<object, OwnDevice>()

/** Replaces the node's previous device; without a device, removes it. */
export function noteOwnDevice(node: object, device?: OwnDevice): void {
  if (device) devices.set(node, device)
  else devices.delete(node)
}

/** Image port of this Node-RED's virtual device at the address; undefined without one. Waits for a starting device. */
export async function ownImagePort({ hostname, port }: URL): Promise<number | undefined> {
  const found = [...devices.values()].find(
    (device) => device.port === Number(port) && isSameHost(device.host, hostname),
  )
  return found?.images
}

const all: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1'])

function isSameHost(listening: string, requested: string): boolean {
  const [own, other] = [bare(listening), bare(requested)]
  return own === other || (loopback.has(other) && (loopback.has(own) || all.has(own)))
}

/** URLs have IPv6 addresses in brackets. */
const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
