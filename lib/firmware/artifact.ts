import { createHash } from 'node:crypto'
import { lstat, open, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { FileToSend } from '../contract'
import { below, openBelow, WayReplaced } from '../files/below-folder'
import type { Expected } from './types'
import { firmwareError, reasonOf } from './firmware-error'

/** An existing artifact with its properties. */
export interface Artifact {
  /** What is uploaded: the file, checked again each time it is opened, or the bytes. */
  source: FileToSend | Uint8Array
  /** Its real path. */
  file?: string
  size: number
  /** In hexadecimal. */
  sha256: string
  /** Time of the file's last change, milliseconds since 1970. */
  changedAt?: number
}

interface Reading {
  expected?: Expected
  allowedFolders?: readonly string[]
  language?: string
  signal?: AbortSignal
  /** @param share 0 to 1 */
  onRead?: (share: number) => void
}

/**
 * Reads an artifact to its end, in constant memory, and checks that it is the expected one.
 * @throws VisionError `INVALID_INPUT` if it cannot or must not be read, or is a different one
 */
export async function artifactOf(
  source: string | Uint8Array,
  { expected = {}, allowedFolders, language, signal, onRead }: Reading = {},
): Promise<Artifact> {
  const artifact =
    typeof source === 'string'
      ? await fromFile(source, allowedFolders, language, signal, onRead)
      : { source, size: source.length, sha256: createHash('sha256').update(source).digest('hex') }
  const differs = (what: 'size' | 'sha256', wanted: string | number) => {
    const values = { file: artifact.file ?? '', wanted, found: artifact[what] }
    return firmwareError('INVALID_INPUT', `firmware-${what}`, values, language)
  }
  if (expected.size !== undefined && artifact.size !== expected.size) throw differs('size', expected.size)
  if (expected.sha256 !== undefined && artifact.sha256 !== expected.sha256.trim().toLowerCase())
    throw differs('sha256', expected.sha256)
  return artifact
}

async function fromFile(
  given: string,
  folders: readonly string[] | undefined,
  language?: string,
  signal?: AbortSignal,
  onRead?: Reading['onRead'],
): Promise<Artifact> {
  const { file } = await allowedPlace(given, folders, language)
  const source = { path: file, open: () => openAllowed(given, folders, language) }
  const handle = await source.open()
  try {
    const { size, mtimeMs: changedAt } = await handle.stat()
    const hash = createHash('sha256')
    // One buffer for the whole file: otherwise a gigabyte of buffers would stay in memory for a while.
    const buffer = Buffer.allocUnsafe(256 * 1024)
    let read = 0
    for (;;) {
      signal?.throwIfAborted()
      const { bytesRead } = await handle.read(buffer, 0, buffer.length)
      if (bytesRead === 0) break
      hash.update(buffer.subarray(0, bytesRead))
      read += bytesRead
      onRead?.(read / size)
    }
    return { source, file, size: read, sha256: hash.digest('hex'), changedAt }
  } catch (error) {
    throw unreadable(given, error, language)
  } finally {
    await handle.close()
  }
}

/** The check and the opening are one step, where the system allows that. @throws VisionError `INVALID_INPUT` */
async function openAllowed(given: string, folders: readonly string[] | undefined, language?: string) {
  const { file, folder } = await allowedPlace(given, folders, language)
  try {
    return folder === undefined ? await open(file, 'r') : await openBelow(folder, file)
  } catch (error) {
    throw error instanceof WayReplaced ? notAllowed(given, language) : unreadable(given, error, language)
  }
}

/** Whether the file is unchanged since it was read. */
export async function isUnchanged({ file, size, changedAt }: Artifact): Promise<boolean> {
  if (file === undefined) return true
  const now = await stat(file).catch(() => undefined)
  return now?.size === size && now.mtimeMs === changedAt
}

/**
 * The real path of a file, with symbolic links resolved, which must lie below one of the folders.
 * @throws VisionError `INVALID_INPUT`
 */
export const allowedFile = async (
  file: string,
  folders: readonly string[] | undefined,
  language?: string,
): Promise<string> => (await allowedPlace(file, folders, language)).file

/** The real paths of a file and of the folder that allows it; without a folder if every file is allowed. */
async function allowedPlace(
  file: string,
  folders: readonly string[] | undefined,
  language?: string,
): Promise<{ file: string; folder?: string }> {
  // Before the disk is accessed: the error is the same whether or not the file exists.
  const real = await realpath(file).catch((error: unknown) => error)
  const unread = () => unreadable(file, real, language)
  if (!folders) {
    if (typeof real !== 'string') throw unread()
    return { file: real }
  }
  const allowed = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)))
  if (typeof real !== 'string')
    throw (await isMissingBelow(allowed, file)) ? unread() : notAllowed(file, language)
  const folder = allowed.find((one) => one !== undefined && below(one, real))
  if (folder === undefined) throw notAllowed(file, language)
  return { file: real, folder }
}

const notAllowed = (file: string, language?: string) =>
  firmwareError('INVALID_INPUT', 'firmware-not-allowed', { file }, language)

/** Whether the file does not exist, and the last existing folder of its path is, or lies below, one of these. */
async function isMissingBelow(folders: readonly (string | undefined)[], file: string): Promise<boolean> {
  const path = resolve(file)
  let there = path
  // A dangling link exists too.
  while (!(await lstat(there).catch(() => undefined)) && dirname(there) !== there) there = dirname(there)
  const real = await realpath(there).catch(() => undefined)
  if (real === undefined || there === path) return false
  return folders.some((folder) => folder !== undefined && (folder === real || below(folder, real)))
}

const unreadable = (file: string, error: unknown, language?: string) =>
  firmwareError('INVALID_INPUT', 'firmware-unreadable', { file, reason: reasonOf(error) }, language)
