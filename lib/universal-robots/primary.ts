/**
 * The primary interface: messages of the controller, programs sent to it, and how one that was sent ends.
 */
import { awaitedLater } from '../kernel/scope'
import type { RobotState } from '../robot-motion'
import { patientTimeout } from '../kernel/timers'
import { openSocket, type Place, urError } from './connections'

/** What the primary interface says of a program. */
type PrimaryMessage =
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

/** A connection to the primary interface, which takes programs. */
export interface PrimaryConnection {
  /** Sends a program. */
  send: (script: string) => void
  close: () => void
}

/** Bytes to be read before a program is safe to send (the version message and the beginning of a state). */
const enough = 79

/** Milliseconds for them: states come ten times a second. */
const readyWithin = 2000

/**
 * Connects, and waits until the controller sends. It has to be in remote control before: a connection that is open in local
 * mode stays read-only without saying so.
 * @throws RobotError UNREACHABLE, TIMEOUT, ABORTED
 */
export async function openPrimary(
  place: Place,
  { onMessage, onEnd }: { onMessage: (message: PrimaryMessage) => void; onEnd: () => void },
  signal: AbortSignal,
): Promise<PrimaryConnection> {
  const socket = await openSocket(place, signal)
  const reader = new PrimaryReader()
  let isOpen = true
  const end = () => {
    if (!isOpen) return
    isOpen = false
    socket.destroy()
    onEnd()
  }
  const ready = new Promise<void>((resolve, reject) => {
    const stop = patientTimeout(() => {
      end()
      reject(urError({ code: 'TIMEOUT', key: 'ur-no-answer', values: { ...place } }))
    }, readyWithin)
    socket.on('data', (chunk) => {
      try {
        for (const message of reader.push(chunk)) onMessage(message)
      } catch {
        end()
      }
      if (reader.read < enough) return
      stop()
      resolve()
    })
    socket.once('close', () => {
      end()
      stop()
      reject(urError({ code: 'UNREACHABLE', key: 'ur-lost', values: { ...place } }))
    })
  })
  const aborted = () => socket.destroy()
  signal.addEventListener('abort', aborted, { once: true })
  if (signal.aborted) aborted()
  try {
    await ready
  } finally {
    signal.removeEventListener('abort', aborted)
  }
  return {
    send: (script) => {
      if (isOpen) socket.write(script, 'ascii')
    },
    close: end,
  }
}

/** Milliseconds after it was sent within which a program starts; otherwise it was not taken. */
const startsWithin = 1500

/** Milliseconds after the word that it has started, until states are surely later than that: they come another way. */
const settlesWithin = 500

/** The error by which a read-only connection refuses a program. */
const readOnly = 210

/** Errors from this level on end a program; protective stops come as warnings, level 2. */
const violation = 3

/** Notices that a program has started and ended, by what the primary interface says and by the state. */
export class ProgramWatch {
  readonly started: Promise<void>
  /** @throws RobotError if the controller refused it or broke it off */
  readonly ended: Promise<void>
  readonly #name: string
  #stopWaiting: () => void = () => undefined
  #stopSettling: () => void = () => undefined
  #begin: () => void = () => undefined
  #end: () => void = () => undefined
  #failed: (error: Error) => void = () => undefined
  #isSent = false
  #runs = false
  /** Whether a state without a program means that it has ended, and is not older than its start. */
  #canEnd = false
  #isCut = false

  constructor(name: string) {
    this.#name = name
    let notStarted: (error: Error) => void = () => undefined
    // One of them may fail before it is awaited.
    this.started = awaitedLater(
      new Promise<void>((resolve, reject) => {
        this.#begin = resolve
        notStarted = reject
      }),
    )
    this.ended = awaitedLater(
      new Promise<void>((resolve, reject) => {
        this.#end = resolve
        this.#failed = (error) => {
          this.#stopWaiting()
          this.#stopSettling()
          notStarted(error)
          reject(error)
        }
      }),
    )
  }

  /** The program is on its way: call it right before. What was told until now belongs to others. */
  sent(): void {
    this.#isSent = true
    // Reading the state first: a process that was stopped finds it waiting.
    this.#stopWaiting = patientTimeout(
      () => this.fail(urError({ code: 'REFUSED', key: 'ur-not-started' })),
      startsWithin,
    )
  }

  seen({ program }: RobotState): void {
    if (!this.#isSent) return
    if (program === 'running') {
      this.#canEnd = true
      this.#running()
    } else if (program === 'stopped' && this.#runs && this.#canEnd && !this.#isCut) {
      this.#stopSettling()
      this.#end()
    }
  }

  heard(message: PrimaryMessage): void {
    if (!this.#isSent) return
    if (message.is === 'started' && message.program === this.#name) {
      // A program may be shorter than the pause between two states.
      this.#stopSettling = patientTimeout(() => (this.#canEnd = true), settlesWithin)
      this.#running()
    } else if (message.is === 'exception')
      this.fail(
        urError({
          code: 'REFUSED',
          key: 'ur-exception',
          values: { line: message.line, text: message.text },
          cause: { detail: message.text },
        }),
      )
    else if (message.is === 'error' && message.number === readOnly)
      this.fail(urError({ code: 'NOT_REMOTE', key: 'ur-read-only' }))
    else if (message.is === 'error' && message.level >= violation)
      this.fail(
        urError({
          code: 'REFUSED',
          key: 'ur-error',
          values: { error: `C${message.number}A${message.argument}`, text: message.text },
          cause: { reason: `C${message.number}A${message.argument}` },
        }),
      )
  }

  /** The connection that brought the program was closed: it ends with the reason of that, not with a robot that brakes. */
  cut(): void {
    this.#isCut = true
  }

  fail(error: Error): void {
    this.#failed(error)
  }

  #running(): void {
    this.#runs = true
    this.#stopWaiting()
    this.#begin()
  }
}
