import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { FileToSend } from '../contract'

/** Called after each part, with the bytes of the file. Sending continues when a returned promise resolves. */
export type OnProgress = (progress: { sent: number; total: number }) => unknown

/** A multipart/form-data body whose stream can be created anew for every attempt. */
export interface Upload {
  headers: string[]
  /** Undefined for bytes. */
  file: string | undefined
  /** Rejects if the file cannot be read. */
  measure: () => Promise<Measured>
}

interface Measured {
  /** Of the whole body, bytes. */
  length: number
  stream: (onProgress?: OnProgress) => Readable
}

/** It has changed since the upload began. */
export class FileChanged extends Error {}

/** Handed to the socket at a time: memory stays constant for any size of file. */
const partBytes = 256 * 1024

type UploadParts = () => AsyncIterable<Uint8Array>

type Texts = readonly (readonly [name: string, value: string])[]

/**
 * The upload of a file (a path, or a function that opens it) or of bytes as one field; undefined for anything else.
 * @param texts other fields of the form, sent first, so that the receiver has them when the file arrives
 */
export function uploadOf(field: string, source: unknown, texts: Texts = []): Upload | undefined {
  if (source instanceof Uint8Array)
    return multipart({ field, name: field, texts }, () =>
      Promise.resolve({ size: source.length, parts: () => partsOf(source) }),
    )
  const file = typeof source === 'string' ? { path: source, open: () => open(source, 'r') } : source
  if (!isFileToSend(file)) return undefined
  return multipart({ field, name: basename(file.path), texts, file: file.path }, () => sizeOfFile(file))
}

const isFileToSend = (source: unknown): source is FileToSend =>
  typeof source === 'object' &&
  source !== null &&
  'path' in source &&
  typeof source.path === 'string' &&
  source.path !== '' &&
  'open' in source &&
  typeof source.open === 'function'

function multipart(
  { field, name, texts, file }: { field: string; name: string; texts: Texts; file?: string },
  measure: () => Promise<{ size: number; parts: UploadParts }>,
): Upload {
  const boundary = `----vision-${randomBytes(18).toString('base64url')}`
  const before = texts.map(
    ([text, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${text}"\r\n\r\n${value}\r\n`,
  )
  const head = Buffer.from(
    before.join('') +
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${quoted(name)}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    headers: ['content-type', `multipart/form-data; boundary=${boundary}`],
    file,
    measure: async () => {
      const { size, parts } = await measure()
      return {
        length: head.length + size + tail.length,
        stream: (onProgress) => bodyStream(head, parts, tail, size, onProgress),
      }
    },
  }
}

/** Opens the file too, so that an unreadable file is refused before anything is sent. */
async function sizeOfFile(file: FileToSend) {
  const handle = await file.open()
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new Error('not a file')
    const { size, mtimeMs } = found
    return { size, parts: () => partsOfFile(file, size, mtimeMs) }
  } finally {
    await handle.close()
  }
}

/** Escapes as browsers do: these characters would end the name in a form parser. */
const quoted = (name: string) =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('\0', '')

/** Destroying the stream ends the generators, which closes the file. */
function bodyStream(head: Buffer, parts: UploadParts, tail: Buffer, total: number, onProgress?: OnProgress) {
  async function* body() {
    yield head
    let sent = 0
    for await (const part of parts()) {
      yield part
      sent += part.length
      await onProgress?.({ sent, total })
    }
    if (total === 0) await onProgress?.({ sent, total })
    yield tail
  }
  return Readable.from(body(), { objectMode: false, highWaterMark: partBytes })
}

// oxlint-disable-next-line typescript/require-await -- the same shape as the parts of a file
async function* partsOf(content: Uint8Array) {
  for (let at = 0; at < content.length; at += partBytes) yield content.subarray(at, at + partBytes)
}

async function* partsOfFile(file: FileToSend, size: number, mtimeMs: number) {
  const handle = await file.open()
  try {
    const now = await handle.stat()
    if (now.size !== size || now.mtimeMs !== mtimeMs) throw new FileChanged()
    for (let left = size; left > 0;) {
      const buffer = Buffer.allocUnsafe(Math.min(partBytes, left))
      const { bytesRead } = await handle.read(buffer, 0, buffer.length)
      // Shorter than announced: the device would wait for the rest for ever.
      if (bytesRead === 0) throw new FileChanged()
      left -= bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

type Progress = Parameters<OnProgress>[0]

interface Caller {
  onProgress: OnProgress | undefined
  onThrown: (error: unknown) => void
}

/** The file of a call, across its attempts, with the deadline of its next part. */
export class SentFile {
  /** Milliseconds; infinite before an attempt, while the progress callback runs, and after the last part. */
  partBy = Infinity
  private measured: Measured | undefined

  constructor(
    private readonly upload: Upload,
    readonly stall: number,
    /** Monotonic milliseconds. */
    private readonly now: () => number,
    private readonly caller: Caller,
  ) {}

  /** Undefined for bytes. */
  get path(): string | undefined {
    return this.upload.file
  }

  /** Bytes of the whole body. Rejects if the file cannot be read. */
  async measure(): Promise<number> {
    this.measured = await this.upload.measure()
    return this.measured.length
  }

  begin(): Readable | undefined {
    this.awaitPart()
    return this.measured?.stream((progress) => this.partSent(progress))
  }

  private async partSent(progress: Progress) {
    const isLast = progress.sent === progress.total
    // The caller's callback does not count as a stall.
    this.partBy = Infinity
    try {
      await this.caller.onProgress?.(progress)
    } catch (error) {
      this.caller.onThrown(error)
      throw error
    }
    if (!isLast) this.awaitPart()
  }

  private awaitPart() {
    this.partBy = this.now() + this.stall
  }
}
