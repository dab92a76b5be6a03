import type { ArmProgram } from '../control/arm-state'
import type { ArmController } from '../control/controller'
import { Interpreter, type Routines } from './interpreter'
import type { Machine } from './machine'
import { parsed } from './parse'
import { ScriptError } from './script-error'
import { ScriptSockets } from './sockets'
import type { Routine } from './syntax'
import { tokensOf } from './tokens'
import { unknownName } from './unknown-name'
import { ThreadHandle } from './values'

/** Most threads of a program. */
const mostThreads = 50

/** A program of the controller's language, and its threads. */
export class ScriptProgram implements ArmProgram {
  readonly name: string
  readonly #threads = new Map<number, Generator<void, unknown, void>>()
  readonly #sockets = new ScriptSockets()
  readonly #machine: Machine
  readonly #interpreter: Interpreter
  #lastId = 0

  private constructor(
    program: Routine,
    private readonly controller: ArmController,
  ) {
    this.name = program.name
    const own = { controller, sockets: this.#sockets, lives: (id: number) => this.#threads.has(id) }
    this.#machine = { ...own, thread: 0, mover: undefined }
    const routines: Routines = new Map()
    this.#interpreter = new Interpreter(this.#machine, routines, {
      start: (routine) => this.#start(() => this.#interpreter.routine(routine, [])),
      kill: (thread) => this.#kill(thread),
    })
    this.#start(() => this.#interpreter.main(program))
  }

  /** @throws ScriptError with the place and the words of a controller */
  static compiled(text: string, controller: ArmController): ScriptProgram {
    const program = parsed(tokensOf(text))
    const unknown = unknownName(program)
    if (unknown) {
      const { name, line, column } = unknown
      throw new ScriptError(`compile_error_name_not_found:${name}:`, line, column)
    }
    return new ScriptProgram(program, controller)
  }

  cycle(): boolean {
    this.#interpreter.cycle()
    try {
      for (const [id, thread] of [...this.#threads]) {
        if (!this.#threads.has(id)) continue
        this.#machine.thread = id
        if (thread.next().done) this.#threads.delete(id)
        if (this.controller.programName !== this.name) return true
      }
    } catch (error) {
      // Of the machine that simulates: its stack or a string is too large.
      if (!(error instanceof ScriptError || error instanceof RangeError)) throw error
      const { line, column, message } =
        error instanceof ScriptError ? error : new ScriptError('stack overflow', 1)
      this.controller.tell({ kind: 'exception', line, column, text: message })
      return true
    }
    return this.#interpreter.halted || !this.#threads.has(1)
  }

  close(): void {
    this.#sockets.closeAll()
  }

  #start(body: () => Generator<void, unknown, void>): ThreadHandle {
    if (this.#threads.size >= mostThreads) throw new ScriptError('too_many_threads', 1)
    this.#threads.set(++this.#lastId, body())
    return new ThreadHandle(this.#lastId)
  }

  #kill({ id }: ThreadHandle): void {
    const wasThere = this.#threads.delete(id)
    if (wasThere && this.#machine.mover === id) this.controller.drive.abandon()
  }
}
