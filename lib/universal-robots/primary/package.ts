/** What the primary interface says of a program. */
export type PrimaryMessage =
  | { is: 'started' | 'stopped'; program: string }
  /** Level: 1 information, 2 warning, 3 violation, 4 fault, 5 critical. */
  | { is: 'error'; number: number; argument: number; level: number; text: string }
  | { is: 'exception'; line: number; column: number; text: string }
  | { is: 'text'; text: string }

const robotMessage = 20
const header = 5
/** Largest package; those of controllers in the field have up to 2 kB. */
const most = 65_536
/** Time (u64), source and kind stand before the body of a message. */
const beforeBody = 10
/** Longest text that is kept. */
const longest = 1000

/** Cuts the stream of the primary interface into packages, and reads the messages among them. */
export class PrimaryReader {
  #rest: Buffer = Buffer.alloc(0)
  /** Bytes read so far: a controller may throw a script away while nobody reads. */
  read = 0

  /** @throws RangeError for a size that no package has; the stream is then useless */
  push(chunk: Buffer): PrimaryMessage[] {
    this.read += chunk.length
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    const messages: PrimaryMessage[] = []
    let at = 0
    while (bytes.length - at >= header) {
      const size = bytes.readInt32BE(at)
      if (size < header || size > most) throw new RangeError(`a package of ${size} bytes`)
      if (bytes.length - at < size) break
      const message =
        bytes[at + 4] === robotMessage ? messageIn(bytes.subarray(at + header, at + size)) : undefined
      if (message) messages.push(message)
      at += size
    }
    this.#rest = Buffer.from(bytes.subarray(at))
    return messages
  }
}

/** What is too short, or unknown, is no message. */
function messageIn(bytes: Buffer): PrimaryMessage | undefined {
  const body = bytes.subarray(beforeBody)
  switch (bytes[9]) {
    case 0:
      return { is: 'text', text: textOf(body) }
    case 6:
      if (body.length < 20) return undefined
      return {
        is: 'error',
        number: body.readInt32BE(0),
        argument: body.readInt32BE(4),
        level: body.readInt32BE(8),
        text: textOf(body.subarray(20)),
      }
    case 7: {
      if (body.length < 9) return undefined
      const title = textOf(body.subarray(9, 9 + (body[8] ?? 0)))
      const program = textOf(body.subarray(9 + (body[8] ?? 0)))
      if (title === 'PROGRAM_XXX_STARTED') return { is: 'started', program }
      return title === 'PROGRAM_XXX_STOPPED' ? { is: 'stopped', program } : undefined
    }
    case 10:
      if (body.length < 8) return undefined
      return {
        is: 'exception',
        line: body.readUInt32BE(0),
        column: body.readUInt32BE(4),
        text: textOf(body.subarray(8)),
      }
    default:
      return undefined
  }
}

/** Without what no terminal shows. */
const textOf = (bytes: Buffer): string =>
  bytes
    .subarray(0, longest)
    .toString('utf8')
    .replace(/[^\P{C}]/gu, '')
