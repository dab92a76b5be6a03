import { createHash } from 'node:crypto'
import { lstat, open, realpath, stat, type FileHandle } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { below } from './below'
import type { Expected } from './types'
import { firmwareError, reasonOf } from './firmware-error'

/** An artifact that is there, and what it is. */
export interface Artifact {
  /** What is uploaded: the file by its real path, or the bytes. */
  source: string | Uint8Array
  file?: string
  size: number
  /** In hexadecimal digits. */
  sha256: string
  /** When the file was changed last, milliseconds since 1970. */
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
 * Reads an artifact through, in constant memory, and checks that it is the expected one.
 * @throws VisionError `INVALID_INPUT` where it cannot or must not be read, or is another
 */
export async function artifactOf(
  source: string | Uint8Array,
  { expected = {}, allowedFolders, language, signal, onRead }: Reading = {},
): Promise<Artifact> {
  const artifact =
    typeof source === 'string'
      ? await fromFile(source, await allowedFile(source, allowedFolders, language), language, signal, onRead)
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
  file: string,
  language?: string,
  signal?: AbortSignal,
  onRead?: Reading['onRead'],
): Promise<Artifact> {
  let handle: FileHandle | undefined
  try {
    handle = await open(file, 'r')
    const { size, mtimeMs: changedAt } = await handle.stat()
    const hash = createHash('sha256')
    // One buffer for all of it: a gigabyte of buffers would stay in memory for a while.
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
    return { source: file, file, size: read, sha256: hash.digest('hex'), changedAt }
  } catch (error) {
    throw unreadable(given, error, language)
  } finally {
    await handle?.close()
  }
}

/** Whether the file is still the one that was read. */
export async function isUnchanged({ file, size, changedAt }: Artifact): Promise<boolean> {
  if (file === undefined) return true
  const now = await stat(file).catch(() => undefined)
  return now?.size === size && now.mtimeMs === changedAt
}

/**
 * The real path of a file, symbolic links followed, which must lie below one of the folders.
 * @throws VisionError `INVALID_INPUT`
 */
export async function allowedFile(
  file: string,
  folders: readonly string[] | undefined,
  language?: string,
): Promise<string> {
  // Without a look at the disk first: whoever may not read there is not told what is there.
  const real = await realpath(file).catch((error: unknown) => error)
  if (folders) {
    const allowed = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)))
    const inside = allowed.some(
      (folder) => folder !== undefined && typeof real === 'string' && below(folder, real),
    )
    const isTold = inside || (typeof real !== 'string' && (await isMissingBelow(allowed, file)))
    if (!isTold) throw firmwareError('INVALID_INPUT', 'firmware-not-allowed', { file }, language)
  }
  if (typeof real !== 'string') throw unreadable(file, real, language)
  return real
}

/** Whether there is no such file, and the last folder of its path that there is lies below one of these, or is one. */
async function isMissingBelow(folders: readonly (string | undefined)[], file: string): Promise<boolean> {
  const path = resolve(file)
  let there = path
  // Also a link that leads nowhere is there.
  while (!(await lstat(there).catch(() => undefined)) && dirname(there) !== there) there = dirname(there)
  const real = await realpath(there).catch(() => undefined)
  if (real === undefined || there === path) return false
  return folders.some((folder) => folder !== undefined && (folder === real || below(folder, real)))
}

const unreadable = (file: string, error: unknown, language?: string) =>
  firmwareError('INVALID_INPUT', 'firmware-unreadable', { file, reason: reasonOf(error) }, language)
