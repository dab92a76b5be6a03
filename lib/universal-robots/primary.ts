/**
 * The primary interface: messages of the controller, programs sent to it, and how one that was sent ends.
 */
import type { Pace, RobotState } from '../robot-motion'
import { type Pose, rotationVectorOf } from '../robotics'
import { startInterval, patientTimeout } from '../kernel/timers'
import { awaitedLater } from '../kernel/scope'
import { openSocket, type Place, urError } from './connections'

/**
 * The program that moves the robot, and the enable signal without which it brakes by itself.
 */

/** The integer input registers that a motion looks at. */
export interface EnableRegisters {
  /** Must keep changing, and be greater than 0. */
  enable: number
  /** Must be the number of the motion: a script that arrives late, or twice, moves nothing. */
  motion: number
}

/** Seconds without a new enable until the controller brakes: it has begun within half a second. */
const quietSeconds = 0.4

/** Seconds for the enable to begin. Nothing moves until then, so that a busy computer may take its time. */
const beginSeconds = 2

/** Deceleration of a stop, metres per second squared. */
const braking = 2

/**
 * The program of one straight motion. It begins when the enable has changed twice, and brakes by itself as soon as the enable
 * stands still, is taken away, or belongs to another motion: closing a connection stops nothing on this controller. A thread
 * moves and the program watches, because only one of them may move at a time.
 * @param tcp where the active TCP is to be, in the base
 * @param cycle seconds of a control cycle
 */
export function motionScript(
  tcp: Pose,
  { speed, acceleration }: Pace,
  { number, registers, cycle }: { number: number; registers: EnableRegisters; cycle: number },
): string {
  const quiet = Math.round(quietSeconds / cycle)
  const enable = `read_input_integer_register(${registers.enable})`
  const motion = `read_input_integer_register(${registers.motion})`
  const watched = [
    'sync()',
    `cs_now = ${enable}`,
    'if cs_now == cs_last:',
    '  cs_quiet = cs_quiet + 1',
    'else:',
    '  cs_quiet = 0',
    '  cs_changes = cs_changes + 1',
    '  cs_last = cs_now',
    'end',
  ]
  const indented = (lines: readonly string[], by: string) => lines.map((line) => by + line)
  return [
    `def ${programName(number)}():`,
    '  global cs_arrived = 0',
    '  thread cs_motion():',
    `    movel(${poseText(tcp)}, a=${acceleration.toFixed(4)}, v=${speed.toFixed(4)})`,
    '    cs_arrived = 1',
    '  end',
    `  cs_last = ${enable}`,
    '  cs_now = cs_last',
    '  cs_changes = 0',
    '  cs_quiet = 0',
    `  while cs_changes < 2 and cs_quiet < ${Math.round(beginSeconds / cycle)}:`,
    ...indented(watched, '    '),
    '  end',
    `  if cs_changes >= 2 and cs_last > 0 and ${motion} == ${number}:`,
    '    cs_thread = run cs_motion()',
    `    while cs_arrived == 0 and cs_quiet < ${quiet} and cs_last > 0 and ${motion} == ${number}:`,
    ...indented(watched, '      '),
    '    end',
    '    if cs_arrived == 0:',
    '      kill cs_thread',
    `      stopl(${braking.toFixed(1)})`,
    '    end',
    '  end',
    'end',
    '',
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** The program that brakes. It ends the one that runs. */
export const stopScript = (): string => `def cs_stop():\n  stopl(${braking.toFixed(1)})\nend\n\n`

/** Of a motion, at most 31 characters. */
export const programName = (number: number): string => `cs_motion_${number}`

/** Metres with a thousandth of a millimetre, and a rotation vector as fine. */
function poseText({ position: { x, y, z }, orientation }: Pose): string {
  const turn = rotationVectorOf(orientation)
  return `p[${[x, y, z, turn.x, turn.y, turn.z].map((value) => value.toFixed(7)).join(', ')}]`
}

/** Milliseconds between two changes: the controller brakes after 400 ms without one. */
const period = 40

/** Milliseconds without news from the robot, after which the enable is taken away. */
const freshFor = 300

/** Milliseconds after which a robot that does not say what it has received has received it. */
const receivedWithin = 300

const largest = 2 ** 31 - 1

/**
 * The signal that must keep changing while the robot may move. It is taken away as soon as the robot is not heard: a robot that
 * still hears us brakes at once, one that does not brakes because nothing changes.
 */
export class EnableSignal {
  readonly #registers: EnableRegisters
  readonly #write: (values: Record<string, number>) => void
  readonly #heardAt: () => number | undefined
  #timer: NodeJS.Timeout | undefined
  #motion = 0
  #count = 0
  /** Number of the last withdrawal, below 0: no motion has it. */
  #withdrawal = 0
  #withdrawnAt = Number.NEGATIVE_INFINITY

  /** @param heardAt when the robot was heard last, milliseconds of `performance.now()` */
  constructor(
    registers: EnableRegisters,
    write: (values: Record<string, number>) => void,
    heardAt: () => number | undefined,
  ) {
    this.#registers = registers
    this.#write = write
    this.#heardAt = heardAt
  }

  /** Enables the motion of that number, until it is withdrawn. */
  give(motion: number): void {
    clearInterval(this.#timer)
    this.#motion = motion
    this.#timer = startInterval(() => this.#next(), period)
    this.#next()
  }

  /** Takes the enable away: the robot brakes at once. @param motion whose enable it is; without it, any */
  withdraw(motion = this.#motion): void {
    if (motion !== this.#motion) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#motion = 0
    this.#withdrawal = -((-this.#withdrawal % largest) + 1)
    this.#withdrawnAt = performance.now()
    this.#set(0, this.#withdrawal)
  }

  /**
   * Whether the robot may not have received the last withdrawal yet.
   * @param motion the number that it says to have received last; undefined where it does not say it
   */
  isUnaware(motion: number | undefined): boolean {
    if (motion === undefined) return performance.now() - this.#withdrawnAt < receivedWithin
    return this.#withdrawal < 0 && this.#motion === 0 && motion !== this.#withdrawal
  }

  #next(): void {
    if (this.#isHeard) {
      this.#count = (this.#count % largest) + 1
      this.#set(this.#count, this.#motion)
      return
    }
    const motion = this.#motion
    // A process that was busy reads first what has arrived meanwhile.
    setImmediate(() => {
      if (motion === 0 || this.#isHeard) return
      this.withdraw(motion)
    })
  }

  get #isHeard(): boolean {
    const heard = this.#heardAt()
    return heard !== undefined && performance.now() - heard <= freshFor
  }

  #set(enable: number, motion: number): void {
    this.#write({
      [`input_int_register_${this.#registers.enable}`]: enable,
      [`input_int_register_${this.#registers.motion}`]: motion,
    })
  }
}

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
  /** Bytes read so far: a controller may discard a script while its messages are unread. */
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

  /** Call it right before the program is sent. Earlier messages belong to other programs. */
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
