/** What a node remembers of a robot that drives itself: the work under way, its question, and what people see of it. */
// Alone: the folder's index loads the mathematics.

import type { ProcedureRun } from '../../../lib/calibration'
import { Control } from '../../../lib/calibration/procedure'
import type { Image } from '../../../lib/codec/images/codec'
import type { Attempt, Pose, Vector } from '../../../lib/robotics'
import { startTimeout } from '../../../lib/kernel/timers'
import { Question } from '../../robot-motion/question'
import { sentencesOf } from '../../sentences'
import { NodeAnswer, type Outcome } from '../../shared/outcome'
import type { StatusWord } from '../../shared/status'
import type { Inbound } from '../steps'
import type { DriveReport } from './reports'

const { nodeError } = sentencesOf('hand-eye-calibration')

/** Waits until a robot that the flow moves has arrived. */
class Arrival {
  #arrived: ((pose: Pose | undefined) => void) | undefined

  /**
   * @param go sends the robot there
   * @param within seconds
   * @returns where the robot says that it is; undefined if it only says that it has arrived
   * @throws TIMEOUT; the reason of the signal
   */
  async after(go: () => void, within: number, signal: AbortSignal): Promise<Pose | undefined> {
    signal.throwIfAborted()
    let timer: NodeJS.Timeout | undefined
    let aborted: (() => void) | undefined
    try {
      return await new Promise<Pose | undefined>((resolve, reject) => {
        this.#arrived = resolve
        aborted = () => reject(signal.reason as Error)
        signal.addEventListener('abort', aborted, { once: true })
        timer = startTimeout(
          () => reject(nodeError('TIMEOUT', 'drive-not-arrived', { seconds: within })),
          within * 1000,
        )
        go()
      })
    } finally {
      clearTimeout(timer)
      if (aborted) signal.removeEventListener('abort', aborted)
      this.#arrived = undefined
    }
  }

  /** @returns whether it is awaited */
  came(pose: Pose | undefined): boolean {
    const arrived = this.#arrived
    arrived?.(pose)
    return arrived !== undefined
  }
}

/** A report, or what makes it in the language that is then spoken: people look at it in their own. */
export type Spoken = DriveReport | (() => DriveReport)

export const reportNow = (report: Spoken): DriveReport => (typeof report === 'function' ? report() : report)

/** A picture in which the grid was looked for. */
export interface GridView {
  picture: Image
  /** In the frame of the camera; undefined where it was not recognised. */
  grid: Pose | undefined
  /** The point that a person has to touch, in the frame of the camera. */
  mark?: Vector
}

/** Where the robot is to look. */
export interface PoseAhead {
  /** Among all poses of the calibration, from 1. */
  number: number
  pose: Pose
  /** In the robot's own numbers, as people read it. */
  text: string
}

/** What people see of a robot that drives itself: of the work under way, then of the last one. */
export class DriveDisplay {
  /** Where the robot stood when it was last asked, in its own numbers. */
  at: string | undefined
  attempts: readonly Attempt[] = []
  /** What the robot does, as the node's status says it. */
  doing: { word: StatusWord; count: number } | undefined
  /** The last report, besides questions. */
  said: Spoken | undefined
  /** What a look outside the plan has seen since. */
  seenNow: Spoken | undefined
  question: { request: string; report: Spoken } | undefined
  /** The last report of the plan. */
  plan: Spoken | undefined
  /** How it ended: with this, or with an error. */
  end: Spoken | undefined
  error: unknown
  /** How the last touch-up ended. */
  touched: Spoken | undefined
  /** The calibration that a touch-up under way checks: a result that waits to be saved, or that on the device. */
  touches: 'result' | 'saved' | undefined
  /** The latest picture. */
  view: GridView | undefined
  readonly #changed: () => void
  #planned: readonly PoseAhead[] = []

  /** @param changed called after each change */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  begins(): void {
    this.attempts = []
    this.#planned = []
    this.at = this.doing = this.said = this.question = this.plan = this.end = this.error = undefined
    this.touched = this.seenNow = undefined
    this.#changed()
  }

  /** A person looks, and nothing moves. */
  glances(told: Spoken): void {
    this.seenNow = told
    this.#changed()
  }

  sees(view: GridView): void {
    this.view = view
    this.#changed()
  }

  /** The same message, whose progress shows here too. */
  watched(inbound: Inbound): Inbound {
    const progress = (word: StatusWord, count = 0) => {
      this.doing = { word, count }
      this.#changed()
      inbound.progress(word, count)
    }
    return { ...inbound, progress }
  }

  tells(told: Spoken, { request }: DriveReport): void {
    if (typeof request === 'string') this.question = { request, report: told }
    else this.said = told
    this.#changed()
  }

  /** @param poses from here to the end */
  plans(poses: readonly PoseAhead[], report: Spoken): void {
    this.#planned = poses
    this.plan = report
    this.#changed()
  }

  /** The planned poses at which the robot has not looked yet. */
  get planned(): readonly PoseAhead[] {
    return this.#planned.filter(({ number }) => number > this.attempts.length)
  }

  ends(outcome: Outcome): void {
    if (outcome instanceof NodeAnswer) this.end ??= outcome.properties['payload'] as DriveReport
    this.#changed()
  }

  /** A person has had the device calibrate from the poses, or save the result. */
  finishes(report: DriveReport): void {
    this.error = this.touched = this.seenNow = undefined
    const { bound, comparison, residuals } = this.end ? reportNow(this.end) : report
    this.end = { ...report, ...(bound && { bound }), comparison, residuals }
    this.#changed()
  }

  failed(error: unknown): void {
    this.error = error
    this.seenNow = undefined
    this.#changed()
  }
}

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
  /** The last report of the plan. */
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

/** What a person says while a robot drives itself: these do not wait. */
export const driveOrders = ['confirm', 'decline', 'pause', 'resume', 'skip', 'stop', 'reset'] as const

export type DriveOrder = (typeof driveOrders)[number]

/** Whether a message is one of these, or says that the robot of a flow has arrived. @param command as `commandWord` reads it */
export const isOrder = (command: string): boolean =>
  command === 'arrived' || driveOrders.some((order) => order === command)
