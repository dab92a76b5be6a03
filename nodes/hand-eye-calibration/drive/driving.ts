import type { ProcedureRun } from '../../../lib/calibration'
// Alone: the folder's index loads the mathematics.
import { Control } from '../../../lib/calibration/procedure'
import { Question } from '../../robot-motion/question'
import { Arrival } from './arrival'
import { DriveDisplay } from './display'
import type { DriveReport } from './report'

/** What is steered, whatever its end is. */
type Steered = Omit<ProcedureRun<never>, 'end'>

/** A robot that drives itself, as far as its node remembers; what survives a restart is in the journal. */
export class Driving {
  readonly question = new Question()
  readonly arrival = new Arrival()
  readonly display = new DriveDisplay(() => this.changed())
  readonly #watchers = new Set<() => void>()
  /** Aborted by a stop, or when the node closes. */
  #stopping = new AbortController()
  #run: Steered | undefined
  /** Pauses what is asked outside a calibration. */
  #control = new Control()
  #isBusy = false
  #isPaused = false
  /** What was told last about the plan. */
  latest: DriveReport | undefined

  /** @param changed called after each change that people see @returns ends it */
  watch(changed: () => void): () => void {
    this.#watchers.add(changed)
    return () => {
      this.#watchers.delete(changed)
    }
  }

  changed(): void {
    for (const changed of [...this.#watchers]) changed()
  }

  /** Whether a message is at work. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Whether a calibration can be paused, and its poses skipped. */
  get isSteered(): boolean {
    return this.#run !== undefined
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Works until it ends, is stopped, or the node closes. @param closing aborted when the node closes */
  async work<Result>(closing: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    this.#isBusy = true
    this.#isPaused = false
    this.#control = new Control()
    this.display.begins()
    this.#stopping = new AbortController()
    const stop = () => this.stop()
    closing.addEventListener('abort', stop, { once: true })
    try {
      return await work(this.#stopping.signal)
    } finally {
      closing.removeEventListener('abort', stop)
      this.#run = undefined
      this.#isBusy = this.#isPaused = false
      this.changed()
    }
  }

  /** The calibration that is steered from now on. */
  steers(run: Steered): void {
    this.#run = run
    if (this.#stopping.signal.aborted) run.stop()
    else if (this.#isPaused) run.pause()
  }

  /** The calibration is over; what is asked now concerns its result. */
  ended(): void {
    this.#run = undefined
  }

  /**
   * Asks about a movement outside a calibration; a pause closes the question, and it is asked again after it.
   * @param ask ends with its signal
   */
  permitted(ask: (signal: AbortSignal) => Promise<'go' | 'skip'>): Promise<'go' | 'skip' | 'stop'> {
    const { signal } = this.#stopping
    const stopped = new Promise<'stop'>((resolve) => {
      if (signal.aborted) resolve('stop')
      else signal.addEventListener('abort', () => resolve('stop'), { once: true })
    })
    return this.#control.permitted((open) => ask(AbortSignal.any([signal, open])), stopped)
  }

  pause(): void {
    this.#isPaused = true
    this.#control.pause()
    this.#run?.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#control.resume()
    this.#run?.resume()
  }

  /** Leaves out the pose that is asked about, or that waits for the end of a pause. @param id of the question @throws INVALID_INPUT */
  skip(id: unknown): void {
    if (this.question.isOpen || !this.#isPaused) this.question.answer(false, id)
    else this.#run?.skip()
  }

  stop(): void {
    this.#run?.stop()
    this.#stopping.abort()
  }
}
