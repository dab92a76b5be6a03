import type { RobotState } from '../robot-motion'
import { patientTimeout } from '../timers/patient-timeout'
import type { PrimaryMessage } from './primary/package'
import { urError } from './place'

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
    this.started = new Promise((resolve, reject) => {
      this.#begin = resolve
      notStarted = reject
    })
    this.ended = new Promise((resolve, reject) => {
      this.#end = resolve
      this.#failed = (error) => {
        this.#stopWaiting()
        this.#stopSettling()
        notStarted(error)
        reject(error)
      }
    })
    // One of them may fail when nobody waits for it yet.
    this.started.catch(() => undefined)
    this.ended.catch(() => undefined)
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
