/** The primary interface: messages of the controller, programs sent to it, and their end. */
import type { Pace, RobotState } from '../robot-motion'
import { type Pose, rotationVectorOf } from '../robotics'
import { startInterval, patientTimeout } from '../kernel/timers'
import { awaitedLater } from '../kernel/scope'
import { openSocket, type Endpoint, urError } from './connections'

/** The program that moves the robot, and the enable signal without which it brakes by itself. */

/** Integer input registers that a motion reads. */
export interface EnableRegisters {
  /** Must keep changing, and be greater than 0. */
  enable: number
  /** Must be the number of the motion: a late or repeated script moves nothing. */
  motion: number
}

/** Seconds without a new enable until the controller brakes: it has started within half a second. */
const quietSeconds = 0.4

/** Seconds for the enable to start. Nothing moves until then, so a busy computer may take its time. */
const beginSeconds = 2

const braking = 2 // deceleration of a stop, m/s²

/**
 * The program of one straight motion. It starts when the enable has changed twice, and brakes by itself as soon as the
 * enable stops changing, is withdrawn, or belongs to another motion: closing a connection stops nothing on this
 * controller. A thread moves and the program watches, because only one of them may move at a time.
 * @param tcp target of the active TCP, in the base @param cycle seconds of a control cycle
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

export const stopScript = (): string => `def cs_stop():\n  stopl(${braking.toFixed(1)})\nend\n\n`

/** At most 31 characters. */
export const programName = (number: number): string => `cs_motion_${number}`

/** Metres with six decimals, and a rotation vector as fine. */
function poseText({ position: { x, y, z }, orientation }: Pose): string {
  const turn = rotationVectorOf(orientation)
  return `p[${[x, y, z, turn.x, turn.y, turn.z].map((value) => value.toFixed(7)).join(', ')}]`
}

/** Milliseconds between two changes: the controller brakes after 400 ms without one. */
const period = 40

const freshFor = 300 // milliseconds without a state, after which the enable is withdrawn

/** Milliseconds after which a robot that does not report what it has received has received it. */
const receivedWithin = 300

const largest = 2 ** 31 - 1

/**
 * The signal that must keep changing while the robot may move. It is withdrawn as soon as the robot is silent: a robot
 * that still receives brakes at once, one that does not brakes because nothing changes.
 */
export class EnableSignal {
  readonly #registers: EnableRegisters
  readonly #write: (values: Record<string, number>) => void
  readonly #stateAt: () => number | undefined
  #timer: NodeJS.Timeout | undefined
  #motion = 0
  #count = 0
  #withdrawal = 0 // number of the last withdrawal, below 0: no motion has it
  #withdrawnAt = Number.NEGATIVE_INFINITY

  /** @param stateAt when the last state arrived, milliseconds of `performance.now()` */
  constructor(
    registers: EnableRegisters,
    write: (values: Record<string, number>) => void,
    stateAt: () => number | undefined,
  ) {
    this.#registers = registers
    this.#write = write
    this.#stateAt = stateAt
  }

  give(motion: number): void {
    clearInterval(this.#timer)
    this.#motion = motion
    this.#timer = startInterval(() => this.#next(), period)
    this.#next()
  }

  /** Withdraws the enable: the robot brakes at once. @param motion whose enable it is; without it, any */
  withdraw(motion = this.#motion): void {
    if (motion !== this.#motion) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#motion = 0
    this.#withdrawal = -((-this.#withdrawal % largest) + 1)
    this.#withdrawnAt = performance.now()
    this.#set(0, this.#withdrawal)
  }

  /** The robot may not have received the last withdrawal. @param motion last number it reports as received, if any */
  isUnaware(motion: number | undefined): boolean {
    if (motion === undefined) return performance.now() - this.#withdrawnAt < receivedWithin
    return this.#withdrawal < 0 && this.#motion === 0 && motion !== this.#withdrawal
  }

  #next(): void {
    if (this.#isRecent) {
      this.#count = (this.#count % largest) + 1
      this.#set(this.#count, this.#motion)
      return
    }
    const motion = this.#motion
    // A process that was busy first reads what has arrived meanwhile.
    setImmediate(() => {
      if (motion === 0 || this.#isRecent) return
      this.withdraw(motion)
    })
  }

  get #isRecent(): boolean {
    const lastStateAt = this.#stateAt()
    return lastStateAt !== undefined && performance.now() - lastStateAt <= freshFor
  }

  #set(enable: number, motion: number): void {
    this.#write({
      [`input_int_register_${this.#registers.enable}`]: enable,
      [`input_int_register_${this.#registers.motion}`]: motion,
    })
  }
}

type PrimaryMessage =
  | { is: 'started' | 'stopped'; program: string }
  /** Level: 1 information, 2 warning, 3 violation, 4 fault, 5 critical. */
  | { is: 'error'; number: number; argument: number; level: number; text: string }
  | { is: 'exception'; line: number; column: number; text: string }
  | { is: 'text'; text: string }

const robotMessage = 20

const header = 5

const most = 65_536 // largest package; those of controllers in the field have up to 2 kB

const beforeBody = 10 // time (u64), source and kind precede the body of a message

const longest = 1000 // characters of a text

export class PrimaryReader {
  #rest: Buffer = Buffer.alloc(0)
  /** Bytes so far: a controller may discard a script while its messages are unread. */
  read = 0

  /** @throws RangeError for an impossible size; the stream is then useless */
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

/** Too short or unknown ones are ignored. */
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

/** Without control characters. */
const textOf = (bytes: Buffer): string =>
  bytes
    .subarray(0, longest)
    .toString('utf8')
    .replace(/[^\P{C}]/gu, '')

export interface PrimaryConnection {
  send: (script: string) => void
  close: () => void
}

/** Bytes to be read before a program may be sent (the version message and the start of a state). */
const enough = 79

const readyWithin = 2000 // milliseconds for them: states arrive ten times a second

/**
 * Connects, and waits until the controller sends. Remote control must be on before: a connection opened in local mode
 * stays read-only without notice. @throws RobotError UNREACHABLE, TIMEOUT, ABORTED
 */
export async function openPrimary(
  place: Endpoint,
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

/** Milliseconds for a program to start after it was sent; otherwise it was not accepted. */
const startsWithin = 1500

/** Milliseconds after the start message until states, from the other interface, are later than it. */
const settlesWithin = 500

const readOnly = 210 // the error by which a read-only connection refuses a program

/** Errors from this level on end a program; protective stops are warnings, level 2. */
const violation = 3

/** Detects that a program has started and ended, by the primary interface and the state. */
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
  /** A state without a program means that it has ended, and is not older than its start. */
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

  receive(message: PrimaryMessage): void {
    if (!this.#isSent) return
    if (message.is === 'started' && message.program === this.#name) {
      // A program may be shorter than the interval of states.
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

  /** The connection that sent the program was closed: it ends with that reason, not with a robot that brakes. */
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
