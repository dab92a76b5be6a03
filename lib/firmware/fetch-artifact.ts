import { createHash } from 'node:crypto'
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import type * as Undici from 'undici'
import type { Dispatcher } from 'undici'
import { isUntrusted } from '../client/network-failure'
import type { VisionError } from '../client/vision-error'
import { makeFolder } from '../files/make-folder'
import { syncFolder } from '../files/sync-folder'
import { RetrySchedule } from '../kernel/connection'
import { dialling } from '../kernel/dial'
import { sleep } from '../timers/timers'
import { firmwareError, reasonOf } from './firmware-error'

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
  /** Seconds without a further byte, after which it gives up. @default 600 */
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

/**
 * Fetches an artifact into a file, and checks it before the file has its name. Goes on where it was after a lost connection
 * or a kill, if the server knows ranges. Constant memory.
 * @param file is replaced; `<file>.part` holds what has come so far
 * @throws VisionError `UNREACHABLE` after the patience, or at once if the certificate of the server is not trusted;
 * `INVALID_INPUT` where the server has another file, or none
 */
export async function fetchArtifact(
  artifact: RemoteArtifact,
  file: string,
  { signal, onProgress = () => undefined, patience = 600, language }: FetchOptions,
): Promise<void> {
  const { url, sha256, size } = artifact
  const { host } = new URL(url)
  if (await isWhole(file, artifact, signal)) return
  await makeFolder(dirname(file))
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
    key: 'firmware-fetch-away' | 'firmware-fetch-other' | 'firmware-fetch-certificate',
    reason: string,
  ) => firmwareError(code, key, { host, reason }, language)
  let handle: FileHandle | undefined
  try {
    handle = await open(part, 'a+', 0o600)
    let moved = performance.now()
    const schedule = new RetrySchedule(pauses)
    /** Whether what is there came from the start to the end in this call. */
    let isFresh = (await handle.stat()).size === 0
    for (;;) {
      signal.throwIfAborted()
      const have = (await handle.stat()).size
      if (have === size) {
        if ((await hashOf(handle, signal)) === sha256) break
        await handle.truncate(0)
        // What an earlier attempt has left may be of another file.
        if (isFresh) throw failed('INVALID_INPUT', 'firmware-fetch-other', 'SHA-256')
        isFresh = true
        continue
      }
      if (have > size) {
        await handle.truncate(0)
        isFresh = true
        continue
      }
      try {
        await more(handle, have, { artifact, dispatcher, signal }, (share) => {
          moved = performance.now()
          schedule.reset()
          onProgress(share)
        })
      } catch (error) {
        if (signal.aborted) throw error
        if (error instanceof Hopeless) throw failed('INVALID_INPUT', 'firmware-fetch-other', error.message)
        if (isUntrusted(codeOf(error)))
          throw failed('UNREACHABLE', 'firmware-fetch-certificate', codeOf(error))
        if (performance.now() - moved > 1000 * patience)
          throw failed('UNREACHABLE', 'firmware-fetch-away', reasonOf(error))
        await sleep(schedule.next(), signal)
      }
    }
    await handle.sync()
    await handle.close()
    handle = undefined
    await rename(part, file)
    await syncFolder(dirname(file))
  } catch (error) {
    if (signal.aborted) throw firmwareError('ABORTED', 'firmware-fetch-aborted', { host }, language)
    if (isFileError(error))
      throw firmwareError(
        'INVALID_INPUT',
        'firmware-folder',
        { folder: dirname(file), reason: reasonOf(error) },
        language,
      )
    throw error
  } finally {
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
  came: (share: number) => void,
): Promise<void> {
  const headers = have > 0 ? { range: `bytes=${have}-` } : {}
  const { statusCode, headers: its, body } = await undici().request(url, { dispatcher, signal, headers })
  const isRest = statusCode === 206 && String(its['content-range']).startsWith(`bytes ${have}-`)
  try {
    if (statusCode === 416 || (statusCode === 206 && !isRest)) {
      await handle.truncate(0)
      throw new Error(`HTTP ${statusCode}`)
    }
    if (statusCode !== 200 && statusCode !== 206) {
      const passes = statusCode >= 500 || statusCode === 408 || statusCode === 429
      throw passes ? new Error(`HTTP ${statusCode}`) : new Hopeless(`HTTP ${statusCode}`)
    }
    let at = isRest ? have : 0
    // A server without ranges begins anew.
    if (!isRest) await handle.truncate(0)
    for await (const chunk of body as AsyncIterable<Buffer>) {
      at += chunk.length
      if (at > size) throw new Hopeless(`> ${size} bytes`)
      await handle.appendFile(chunk)
      came(at / size)
    }
    if (at < size)
      throw its['content-length'] === undefined
        ? new Error('EOF')
        : short(Number(its['content-length']), isRest ? size - have : size)
  } finally {
    body.on('error', () => undefined).destroy()
  }
}

/** The connection ended early, or the server has a shorter file. */
const short = (promised: number, wanted: number) =>
  promised < wanted ? new Hopeless(`${promised} bytes`) : new Error('EOF')

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

const isFileError = (error: unknown): boolean =>
  error instanceof Error &&
  'syscall' in error &&
  ['open', 'write', 'mkdir', 'rename', 'ftruncate', 'fsync'].includes(String(error.syscall))
