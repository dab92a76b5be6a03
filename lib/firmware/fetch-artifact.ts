import { createHash } from 'node:crypto'
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import type * as Undici from 'undici'
import type { Dispatcher } from 'undici'
import { isUntrusted } from '../client/failures'
import { VisionError } from '../client/vision-error'
import { makeFolder } from '../files/make-folder'
import { syncFolder } from '../files/sync-folder'
import { RetrySchedule } from '../kernel/connection'
import { dialling } from '../kernel/dial'
import { sleep, startTimeout } from '../kernel/timers'
import { firmwareError, reasonOf, type FirmwareSentence } from './firmware-error'

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

/** It is of no use to ask this server again. */
class Hopeless extends Error {}

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

  /** What came once already, before the server began anew, is no progress. */
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
  const part = `${file}.part`
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
  let handle: FileHandle | undefined
  /** Why the last attempt failed. */
  let trouble: unknown
  try {
    await makeFolder(dirname(file))
    handle = await open(part, 'a+', 0o600)
    const schedule = new RetrySchedule(pauses)
    pace.begin((await handle.stat()).size)
    /** Whether what is there came from the start to the end in this call. */
    let isFresh = pace.furthest === 0
    for (;;) {
      signal.throwIfAborted()
      const have = (await handle.stat()).size
      if (have === size) {
        if ((await hashOf(handle, signal)) === sha256) break
        // What an earlier attempt has left may be of another file.
        if (isFresh) throw failed('INVALID_INPUT', 'firmware-fetch-other', { reason: 'SHA-256' })
      }
      if (have >= size) {
        await handle.truncate(0)
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
        if (error instanceof Hopeless)
          throw failed('INVALID_INPUT', 'firmware-fetch-other', { reason: error.message })
        if (isUntrusted(codeOf(error)))
          throw failed('UNREACHABLE', 'firmware-fetch-certificate', { reason: codeOf(error) })
        if (!pace.isOver) trouble = error
        await sleep(schedule.next(), pace.signal)
      }
    }
    await handle.sync()
    await handle.close()
    handle = undefined
    await rename(part, file)
    await syncFolder(dirname(file))
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
    if (isFull(problem)) await handle?.truncate(0).catch(() => undefined)
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
  handle: FileHandle,
  have: number,
  { artifact: { url, size }, dispatcher, signal }: Source,
  came: (at: number) => void,
): Promise<void> {
  const headers = have > 0 ? { range: `bytes=${have}-` } : {}
  const { statusCode, headers: its, body } = await undici().request(url, { dispatcher, signal, headers })
  const isRest = statusCode === 206 && String(its['content-range']).startsWith(`bytes ${have}-`)
  try {
    if (statusCode === 416 || (statusCode === 206 && !isRest)) {
      await onDisk(handle.truncate(0))
      throw new Error(`HTTP ${statusCode}`)
    }
    if (statusCode !== 200 && statusCode !== 206) {
      const passes = statusCode >= 500 || statusCode === 408 || statusCode === 429
      throw passes ? new Error(`HTTP ${statusCode}`) : new Hopeless(`HTTP ${statusCode}`)
    }
    let at = isRest ? have : 0
    // A server without ranges begins anew.
    if (!isRest) await onDisk(handle.truncate(0))
    for await (const chunk of body as AsyncIterable<Buffer>) {
      at += chunk.length
      if (at > size) throw new Hopeless(`> ${size} bytes`)
      await onDisk(handle.appendFile(chunk))
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
  promised < wanted ? new Hopeless(`${promised} bytes`) : new CutOff()

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
  if ((await stat(file).catch(() => undefined))?.size !== size) return false
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

async function hashOf(handle: FileHandle, signal: AbortSignal): Promise<string> {
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
