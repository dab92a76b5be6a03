import { createHash } from 'node:crypto'
import { lstat, open, realpath, stat, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type * as Undici from 'undici'
import type { Dispatcher } from 'undici'
import type { FileToSend } from '../contract'
import { below, openBelow, PathComponentReplaced } from '../files/below-folder'
import type { Expected } from './types'
import { firmwareError, reasonOf, type FirmwareSentence } from './firmware-error'
import { isUntrusted } from '../client/failures'
import { VisionError } from '../client/vision-error'
import { openPartialFile, type PartialFile } from '../files/partial-file'
import { RetrySchedule } from '../kernel/connection'
import { dialling } from '../kernel/dial'
import { orUndefined, settled } from '../kernel/scope'
import { sleep, startTimeout } from '../kernel/timers'

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
    throw error instanceof PathComponentReplaced
      ? notAllowed(given, language)
      : unreadable(given, error, language)
  }
}

/** Whether the file is unchanged since it was read. */
export async function isUnchanged({ file, size, changedAt }: Artifact): Promise<boolean> {
  if (file === undefined) return true
  const now = await orUndefined(stat(file))
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
  const allowed = await Promise.all(folders.map((folder) => orUndefined(realpath(folder))))
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
  while (!(await orUndefined(lstat(there))) && dirname(there) !== there) there = dirname(there)
  const real = await orUndefined(realpath(there))
  if (real === undefined || there === path) return false
  return folders.some((folder) => folder !== undefined && (folder === real || below(folder, real)))
}

const unreadable = (file: string, error: unknown, language?: string) =>
  firmwareError('INVALID_INPUT', 'firmware-unreadable', { file, reason: reasonOf(error) }, language)

/** An artifact on a web server. */
export interface RemoteArtifact {
  /** http or https; redirects are not followed. */
  url: string
  /** In hexadecimal, lower case. */
  sha256: string
  /** Bytes. */
  size: number
}

interface FetchOptions {
  signal: AbortSignal
  /** @param share 0 to 1 */
  onProgress?: (share: number) => void
  /** Seconds within which a hundredth of the artifact, at least 1 MiB or the rest, must come. @default 600 */
  patience?: number
  language?: string | undefined
}

/** Pauses after failures, milliseconds. */
const pauses = { first: 500, longest: 30_000 }

/** Milliseconds without a byte, after which a connection is given up. */
const silence = 20_000

const readAtOnce = 256 * 1024

/** Loaded when something is fetched: it is larger than the library. */
const undici = () => createRequire(__filename)('undici') as typeof Undici

/** Retrying cannot succeed. */
class Permanent extends Error {}

/** The file cannot be written. */
class DiskFailure extends Error {}

/** The server has closed the connection before the last byte. */
class CutOff extends Error {}

/** Bytes that must come within the patience, at least, unless the artifact is complete; and as a share of the artifact. */
const [leastBytes, leastShare] = [1024 * 1024, 0.01]

/** Ends when less than the least has come within the patience. */
class Pace {
  readonly #ending = new AbortController()
  readonly signal: AbortSignal
  /** Bytes from the beginning of the artifact that have come. */
  furthest = 0
  #begun = 0
  #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly size: number,
    private readonly patience: number,
    signal: AbortSignal,
  ) {
    this.signal = AbortSignal.any([signal, this.#ending.signal])
    this.begin(0)
  }

  get isOver(): boolean {
    return this.#ending.signal.aborted
  }

  /** Bytes that came within the patience. */
  get came(): number {
    return this.furthest - this.#begun
  }

  begin(at: number): void {
    this.end()
    this.furthest = this.#begun = at
    this.#timer = startTimeout(() => this.#ending.abort(), 1000 * this.patience)
  }

  /** Bytes received again after the server restarted the file are no progress. */
  reached(at: number): void {
    this.furthest = Math.max(this.furthest, at)
    if (this.came >= Math.max(leastBytes, leastShare * this.size)) this.begin(this.furthest)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}

/**
 * Fetches an artifact into a file, and checks it before the file has its name. Continues at the last byte after a lost
 * connection or a kill, if the server knows ranges. Constant memory.
 * @param file is replaced; `<file>.part` holds what has come so far
 * @throws VisionError after the patience: `UNREACHABLE`, `BAD_REPLY` where the server always closes the connection too early,
 * `TIMEOUT` where it sends too slowly; at once: `UNREACHABLE` if the certificate of the server is not trusted,
 * `INVALID_INPUT` where the server has another file, or none, and where the file cannot be written
 */
export async function fetchArtifact(
  artifact: RemoteArtifact,
  file: string,
  { signal, onProgress = () => undefined, patience = 600, language }: FetchOptions,
): Promise<void> {
  const { url, sha256, size } = artifact
  const { host } = new URL(url)
  if (await isWhole(file, artifact, signal)) return
  const { Agent, buildConnector } = undici()
  const connect = buildConnector({ timeout: 0 }) as unknown as (
    ...target: Parameters<Undici.buildConnector.connector>
  ) => Socket
  const dispatcher = new Agent({
    ...{ connections: 1, headersTimeout: silence, bodyTimeout: silence },
    connect: dialling(connect, { timeout: silence, signal }),
  })
  const failed = (
    code: VisionError['code'],
    key: FirmwareSentence & `firmware-fetch-${string}`,
    values: Record<string, unknown>,
  ) => firmwareError(code, key, { host, ...values }, language)
  const pace = new Pace(size, patience, signal)
  let handle: PartialFile | undefined
  /** Why the last attempt failed. */
  let trouble: unknown
  try {
    handle = await openPartialFile(file)
    const schedule = new RetrySchedule(pauses)
    pace.begin(await handle.size())
    /** Whether what is there came from the start to the end in this call. */
    let isFresh = pace.furthest === 0
    for (;;) {
      signal.throwIfAborted()
      const have = await handle.size()
      if (have === size) {
        if ((await hashOf(handle, signal)) === sha256) break
        // What an earlier attempt has left may be of another file.
        if (isFresh) throw failed('INVALID_INPUT', 'firmware-fetch-other', { reason: 'SHA-256' })
      }
      if (have >= size) {
        await handle.empty()
        isFresh = true
        pace.begin(0)
        continue
      }
      try {
        await more(handle, have, { artifact, dispatcher, signal: pace.signal }, (at) => {
          if (at > pace.furthest) {
            schedule.reset()
            trouble = undefined
          }
          pace.reached(at)
          onProgress(at / size)
        })
      } catch (error) {
        if (signal.aborted || error instanceof DiskFailure) throw error
        if (error instanceof Permanent)
          throw failed('INVALID_INPUT', 'firmware-fetch-other', { reason: error.message })
        if (isUntrusted(codeOf(error)))
          throw failed('UNREACHABLE', 'firmware-fetch-certificate', { reason: codeOf(error) })
        if (!pace.isOver) trouble = error
        await sleep(schedule.next(), pace.signal)
      }
    }
    await handle.complete()
  } catch (error) {
    if (signal.aborted) throw failed('ABORTED', 'firmware-fetch-aborted', {})
    if (error instanceof VisionError) throw error
    if (pace.isOver) {
      const values = { size, bytes: pace.furthest, came: pace.came, seconds: patience }
      if (trouble instanceof CutOff) throw failed('BAD_REPLY', 'firmware-fetch-cut', values)
      if (trouble) throw failed('UNREACHABLE', 'firmware-fetch-away', { reason: reasonOf(trouble) })
      throw failed('TIMEOUT', 'firmware-fetch-slow', values)
    }
    const problem = error instanceof DiskFailure ? error.cause : error
    if (!isFileError(problem)) throw error
    // Everything else on this computer needs the room.
    if (handle && isFull(problem)) await settled(handle.empty())
    const values = { folder: dirname(file), reason: reasonOf(problem) }
    throw firmwareError('INVALID_INPUT', 'firmware-folder', values, language)
  } finally {
    pace.end()
    await handle?.close()
    await dispatcher.destroy()
  }
}

interface Source {
  artifact: RemoteArtifact
  dispatcher: Dispatcher
  signal: AbortSignal
}

/** Appends what the server sends of the rest. */
async function more(
  handle: PartialFile,
  have: number,
  { artifact: { url, size }, dispatcher, signal }: Source,
  came: (at: number) => void,
): Promise<void> {
  const headers = have > 0 ? { range: `bytes=${have}-` } : {}
  const { statusCode, headers: its, body } = await undici().request(url, { dispatcher, signal, headers })
  const isRest = statusCode === 206 && String(its['content-range']).startsWith(`bytes ${have}-`)
  try {
    if (statusCode === 416 || (statusCode === 206 && !isRest)) {
      await onDisk(handle.empty())
      throw new Error(`HTTP ${statusCode}`)
    }
    if (statusCode !== 200 && statusCode !== 206) {
      const passes = statusCode >= 500 || statusCode === 408 || statusCode === 429
      throw passes ? new Error(`HTTP ${statusCode}`) : new Permanent(`HTTP ${statusCode}`)
    }
    let at = isRest ? have : 0
    // A server without ranges sends the whole file again.
    if (!isRest) await onDisk(handle.empty())
    for await (const chunk of body as AsyncIterable<Buffer>) {
      at += chunk.length
      if (at > size) throw new Permanent(`> ${size} bytes`)
      await onDisk(handle.append(chunk))
      came(at)
    }
    if (at < size)
      throw its['content-length'] === undefined
        ? new CutOff()
        : short(Number(its['content-length']), isRest ? size - have : size)
  } catch (error) {
    throw isCut(error) ? new CutOff() : error
  } finally {
    body.on('error', () => undefined).destroy()
  }
}

/** The connection ended early, or the server has a shorter file. */
const short = (promised: number, wanted: number) =>
  promised < wanted ? new Permanent(`${promised} bytes`) : new CutOff()

/** Whether the server closed the connection within its answer. */
const isCut = (error: unknown): boolean => codeOf(error) === 'UND_ERR_SOCKET'

const onDisk = (work: Promise<void>): Promise<void> =>
  work.catch((cause: unknown) => {
    throw new DiskFailure(undefined, { cause })
  })

async function isWhole(
  file: string,
  { sha256, size }: RemoteArtifact,
  signal: AbortSignal,
): Promise<boolean> {
  if ((await orUndefined(stat(file)))?.size !== size) return false
  const handle = await open(file, 'r')
  let found: string
  try {
    found = await hashOf(handle, signal)
  } finally {
    await handle.close()
  }
  if (found !== sha256) await rm(file, { force: true })
  return found === sha256
}

async function hashOf(handle: Pick<PartialFile, 'read'>, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(readAtOnce)
  for (let at = 0; ;) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(codeOf(error))

const isFileError = (error: unknown): boolean =>
  error instanceof Error &&
  'syscall' in error &&
  ['open', 'write', 'mkdir', 'rename', 'ftruncate', 'fsync'].includes(String(error.syscall))
