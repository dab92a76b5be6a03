/**
 * The primary, secondary and real-time client interfaces: states and messages out, programs in.
 */
import type { Socket } from 'node:net'
import type { Arm, ArmClient } from './arm'
import { messageBytes, readOnlyError, realtimeState, robotState, versionMessage } from './primary-packages'
import { ScriptError } from './script/parse'
import { ScriptProgram } from './script/interpreter'

/** Longest program, characters. */
const longest = 512 * 1024

/** Cuts what arrives into programs and single lines. */
class ProgramTexts {
  /** What has arrived: lines that were not cut yet, then the pieces of one that has not ended, and their characters. */
  #lines = ''
  #rest: string[] = []
  #restSize = 0
  #program: string[] | undefined
  #programSize = 0

  push(text: string): void {
    this.#rest.push(text)
    this.#restSize += text.length
    if (!text.includes('\n')) return
    this.#lines += this.#rest.join('')
    this.#rest = []
    this.#restSize = 0
  }

  /** Whether what is not complete is longer than any program. */
  get isTooLong(): boolean {
    return this.#restSize + this.#programSize > longest
  }

  /** The next program or line that is complete. */
  next(): string | undefined {
    for (let end = this.#lines.indexOf('\n'); end >= 0; end = this.#lines.indexOf('\n')) {
      const line = this.#lines.slice(0, end)
      this.#lines = this.#lines.slice(end + 1)
      const program = this.#take(line)
      if (program !== undefined) return program
    }
    if (this.#lines !== '') {
      this.#rest.unshift(this.#lines)
      this.#restSize += this.#lines.length
      this.#lines = ''
    }
    return undefined
  }

  #take(line: string): string | undefined {
    if (!this.#program) {
      if (!/^(def|sec) /.test(line)) return line.trim() === '' ? undefined : `${line}\n`
      this.#program = []
    }
    this.#program.push(line)
    this.#programSize += line.length + 1
    if (!isEnd(line)) return undefined
    const text = `${this.#program.join('\n')}\n`
    this.#program = undefined
    this.#programSize = 0
    return text
  }
}

/** A program ends at an `end` that is not indented. */
const isEnd = (line: string) => line.startsWith('end') && line.slice(3).trim() === ''

/** Unsent bytes beyond which a client that does not read is cut off. */
const mostUnsent = 4 * 1024 * 1024

/** Unsent bytes beyond which states of cycles are dropped. */
const dropsFrom = 64 * 1024

/** Seconds between two states. */
const between = 0.1

/** One client that may send programs. */
abstract class ProgramConnection {
  /** A connection that was made in local mode never accepts programs. */
  readonly mayWrite: boolean
  readonly #texts = new ProgramTexts()

  constructor(
    protected readonly socket: Socket,
    protected readonly arm: Arm,
  ) {
    this.mayWrite = arm.isRemote
  }

  /** What a program gets on a connection that may only read. */
  protected abstract refused(): void

  push(bytes: Buffer): void {
    this.#texts.push(bytes.toString('latin1'))
  }

  next(): string | undefined {
    const text = this.#texts.next()
    if (text === undefined && this.#texts.isTooLong) this.socket.destroy()
    return text
  }

  answer(text: string): void {
    if (this.mayWrite) this.#execute(text)
    else this.refused()
    this.arm.wake()
  }

  #execute(text: string): void {
    const { controller } = this.arm
    const command = commands.get(text.trim().toLowerCase())
    if (command) {
      command(this.arm)
      return
    }
    try {
      controller.run(ScriptProgram.compiled(text, controller))
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error
      const { line, column, message } = error
      controller.tell({ kind: 'exception', line, column, text: message })
    }
  }

  protected send(bytes: Buffer): void {
    if (this.arm.link === 'frozen') return
    this.socket.write(bytes)
    if (this.socket.writableLength > mostUnsent) this.socket.destroy()
  }
}

/** One client of the primary or secondary interface: state and messages out, programs in. */
export class PrimaryConnection extends ProgramConnection implements ArmClient {
  readonly period = between
  readonly #stopHearing: () => void
  #nextState = 0

  constructor(socket: Socket, arm: Arm) {
    super(socket, arm)
    this.#stopHearing = arm.controller.onMessage((message) =>
      this.send(messageBytes(message, arm.controller.time)),
    )
    this.send(versionMessage(arm))
    this.advanced()
  }

  advanced(): void {
    const { time } = this.arm.controller
    if (time < this.#nextState) return
    this.#nextState = Math.max(this.#nextState + between, time + between / 2)
    this.send(robotState(this.arm))
  }

  close(): void {
    this.#stopHearing()
  }

  protected refused(): void {
    this.send(readOnlyError())
  }
}

/** One client of the real-time client interface: the state of each cycle out, programs in. */
export class RealtimeConnection extends ProgramConnection implements ArmClient {
  get period(): number {
    return this.arm.controller.cycle
  }

  cycled(): void {
    // Late packages are dropped.
    if (this.socket.writableLength < dropsFrom) this.send(realtimeState(this.arm))
  }

  /** The interface has no messages. */
  protected refused(): void {}
}

/** Lines that are no program. */
const commands: ReadonlyMap<string, (arm: Arm) => void> = new Map(
  Object.entries<(arm: Arm) => void>({
    'stop program': ({ controller }) => controller.endProgram(),
    'power on': ({ controller }) => controller.powerOn(),
    'power off': ({ controller }) => controller.powerOff(),
    'set robotmode run': ({ controller }) => controller.brakeRelease(),
    'set unlock protective stop': ({ controller }) => void controller.unlock(),
  }),
)
