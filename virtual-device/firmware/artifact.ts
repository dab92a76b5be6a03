/** Firmware artifacts and the notation of image versions. */
import { createCipheriv, createHash } from 'node:crypto'
import { writeDurably } from '../../lib/files/write-durably'

interface ImageNaming {
  /** Empty, or ends with `-`. */
  before: string
  /** `v<major>.<minor>.<patch>` */
  version: string
  /** Empty, or begins with `-`. */
  after: string
}

/** Parses `v1.2.3` or `<prefix>-v1.2.3-<suffix>`; undefined for any other text. */
export function imageNaming(text: string): ImageNaming | undefined {
  const [, before, version, after] =
    /^((?:\w{1,30}-)?)(v\d{1,5}\.\d{1,5}\.\d{1,5})((?:-[\w.]{1,30})?)$/.exec(text) ?? []
  return version === undefined ? undefined : { before: before ?? '', version, after: after ?? '' }
}

/** Formatted like the images of `example`. */
export function imageVersion(version: string, example: string): string {
  const { before = '', after = '' } = imageNaming(example) ?? {}
  return `${before}${version}${after}`
}

/**
 * A firmware artifact of the virtual device. The format is ours: eight bytes `VDEVFW\0\1`, the length of the header
 * (uint32, big-endian), the header as JSON, its SHA-256 (32 bytes), the content.
 */
interface ArtifactHeader {
  /** `v<major>.<minor>.<patch>` */
  version: string
  /** Bytes of content. */
  size: number
  /** Of the content, in hexadecimal digits. */
  sha256: string
}

const magic = Buffer.from('VDEVFW\0\x01', 'latin1')

const lengthAt = magic.length

const headerAt = lengthAt + 4

const sumLength = 32

const longestHeader = 4096

const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

export const versionPattern = /^v\d{1,5}\.\d{1,5}\.\d{1,5}$/

export class BadArtifact extends Error {
  override readonly name = 'BadArtifact'
}

/** Checks an artifact while it streams through, in constant memory. */
export class ArtifactCheck {
  #head = Buffer.alloc(0)
  #header: ArtifactHeader | undefined
  #received = 0
  readonly #hash = createHash('sha256')

  /** @throws BadArtifact as soon as the artifact is known to be invalid */
  add(chunk: Uint8Array): void {
    if (this.#header) {
      this.#addContent(this.#header, chunk)
      return
    }
    this.#head = Buffer.concat([this.#head, chunk])
    const parsed = parseHeader(this.#head)
    if (!parsed) return
    this.#header = parsed.header
    this.#head = Buffer.alloc(0)
    this.#addContent(parsed.header, parsed.rest)
  }

  /** @throws BadArtifact if the artifact is incomplete */
  finish(): ArtifactHeader {
    if (!this.#header) throw new BadArtifact('The artifact ends within its header.')
    const { size, sha256 } = this.#header
    if (this.#received < size) {
      throw new BadArtifact(`The artifact ends after ${this.#received} of ${size} bytes of content.`)
    }
    if (this.#hash.digest('hex') !== sha256)
      throw new BadArtifact('The SHA-256 of the content is not the one of the header.')
    return this.#header
  }

  #addContent({ size }: ArtifactHeader, chunk: Uint8Array): void {
    this.#received += chunk.length
    if (this.#received > size)
      throw new BadArtifact(`The artifact has more than the ${size} bytes of its header.`)
    this.#hash.update(chunk)
  }
}

function parseHeader(head: Buffer): { header: ArtifactHeader; rest: Buffer } | undefined {
  const start = Math.min(head.length, magic.length)
  if (!head.subarray(0, start).equals(magic.subarray(0, start))) {
    throw new BadArtifact('This is not a firmware artifact of a virtual device.')
  }
  if (head.length < headerAt) return undefined
  const length = head.readUInt32BE(lengthAt)
  if (length > longestHeader) throw new BadArtifact(`The header is longer than ${longestHeader} bytes.`)
  const sumAt = headerAt + length
  if (head.length < sumAt + sumLength) return undefined
  const text = head.subarray(headerAt, sumAt)
  if (!sumOf(text).equals(head.subarray(sumAt, sumAt + sumLength)))
    throw new BadArtifact('The header is damaged.')
  return { header: checkHeader(text.toString('utf8')), rest: head.subarray(sumAt + sumLength) }
}

function checkHeader(text: string): ArtifactHeader {
  let header: Partial<ArtifactHeader>
  try {
    header = JSON.parse(text) as Partial<ArtifactHeader>
  } catch {
    throw new BadArtifact('The header is not JSON.')
  }
  const { version, size, sha256 } = header
  if (typeof version !== 'string' || !versionPattern.test(version)) {
    throw new BadArtifact('The header has no version of the form v1.2.3.')
  }
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) {
    throw new BadArtifact('The header has no size of the content in bytes.')
  }
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) {
    throw new BadArtifact('The header has no SHA-256 of the content.')
  }
  return { version, size, sha256 }
}

/** Writes an artifact whose content depends only on version and size; in constant memory. */
export async function writeArtifact(
  file: string,
  { version, size }: { version: string; size: number },
): Promise<ArtifactHeader> {
  const hash = createHash('sha256')
  for (const chunk of contentOf(version, size)) hash.update(chunk)
  const header = { version, size, sha256: hash.digest('hex') }
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)

  await writeDurably(
    file,
    artifactParts(Buffer.concat([magic, length, text, sumOf(text)]), contentOf(version, size)),
  )
  return header
}

function* artifactParts(head: Buffer, content: Iterable<Buffer>): Generator<Buffer> {
  yield head
  yield* content
}

/** Incompressible bytes, like those of a real image: zeros encrypted with a key from the version. */
function* contentOf(version: string, size: number): Generator<Buffer> {
  const key = createHash('sha256').update(version).digest()
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  const zeros = Buffer.alloc(1024 * 1024)
  for (let left = size; left > 0; left -= zeros.length)
    yield cipher.update(zeros.subarray(0, Math.min(left, zeros.length)))
}
