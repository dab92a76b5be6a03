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

class Arrival {
  #arrived: ((pose: Pose | undefined) => void) | undefined

  /**
   * @param go sends the robot
   * @param within seconds
   * @returns the reported pose; undefined if only the arrival was reported
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

  came(pose: Pose | undefined): boolean {
    const arrived = this.#arrived
    arrived?.(pose)
    return arrived !== undefined
  }
}

/** A report, or a function that creates it in the reader's language. */
export type LocalizedReport = DriveReport | (() => DriveReport)

export const reportNow = (report: LocalizedReport): DriveReport =>
  typeof report === 'function' ? report() : report

export interface GridView {
  picture: Image
  /** In the camera's frame; undefined if not recognised. */
  grid: Pose | undefined
  /** The point to touch, in the camera's frame. */
  mark?: Vector
}

export interface PoseAhead {
  /** From 1. */
  number: number
  pose: Pose
  /** In the robot's own numbers. */
  text: string
}

/** What the panel shows: of the present run, then of the last one. */
export class DriveDisplay {
  /** The pose of the last question, in the robot's own numbers. */
  at: string | undefined
  attempts: readonly Attempt[] = []
  /** As in the node's status. */
  doing: { word: StatusWord; count: number } | undefined
  said: LocalizedReport | undefined
  /** Seen since by an observation outside the plan. */
  seenNow: LocalizedReport | undefined
  question: { request: string; report: LocalizedReport } | undefined
  plan: LocalizedReport | undefined
  end: LocalizedReport | undefined
  error: unknown
  touched: LocalizedReport | undefined
  /** Checked by the present touch-up: the unsaved result, or the saved calibration. */
  touches: 'result' | 'saved' | undefined
  view: GridView | undefined
  readonly #changed: () => void
  #planned: readonly PoseAhead[] = []

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

  observed(report: LocalizedReport): void {
    this.seenNow = report
    this.#changed()
  }

  sees(view: GridView): void {
    this.view = view
    this.#changed()
  }

  /** The message, with its progress shown here too. */
  watched(inbound: Inbound): Inbound {
    const progress = (word: StatusWord, count = 0) => {
      this.doing = { word, count }
      this.#changed()
      inbound.progress(word, count)
    }
    return { ...inbound, progress }
  }

  reports(report: LocalizedReport, { request }: DriveReport): void {
    if (typeof request === 'string') this.question = { request, report: report }
    else this.said = report
    this.#changed()
  }

  plans(poses: readonly PoseAhead[], report: LocalizedReport): void {
    this.#planned = poses
    this.plan = report
    this.#changed()
  }

  get planned(): readonly PoseAhead[] {
    return this.#planned.filter(({ number }) => number > this.attempts.length)
  }

  ends(outcome: Outcome): void {
    if (outcome instanceof NodeAnswer) this.end ??= outcome.properties['payload'] as DriveReport
    this.#changed()
  }

  /** After calibrating from the poses or saving, by the operator. */
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

type Steered = Omit<ProcedureRun<never>, 'end'>

/** Volatile state; what survives a restart is in the journal. */
export class Driving {
  readonly question = new Question()
  readonly arrival = new Arrival()
  readonly display = new DriveDisplay(() => this.changed())
  readonly #watchers = new Set<() => void>()
  /** By a stop, or when the node closes. */
  #stopping = new AbortController()
  #run: Steered | undefined
  /** Pauses questions outside a calibration. */
  #control = new Control()
  #isBusy = false
  #isPaused = false
  latest: DriveReport | undefined

  /** @returns ends it */
  watch(changed: () => void): () => void {
    this.#watchers.add(changed)
    return () => {
      this.#watchers.delete(changed)
    }
  }

  changed(): void {
    for (const changed of [...this.#watchers]) changed()
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  get isSteered(): boolean {
    return this.#run !== undefined
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** @param closing aborted when the node closes */
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

  steers(run: Steered): void {
    this.#run = run
    if (this.#stopping.signal.aborted) run.stop()
    else if (this.#isPaused) run.pause()
  }

  /** Later questions concern the result. */
  ended(): void {
    this.#run = undefined
  }

  /** Asks about a movement outside a calibration; a pause closes the question and it is asked again afterwards. */
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

  /** Skips the pose in question or the next one after a pause. @param id of the question @throws INVALID_INPUT */
  skip(id: unknown): void {
    if (this.question.isOpen || !this.#isPaused) this.question.answer(false, id)
    else this.#run?.skip()
  }

  stop(): void {
    this.#run?.stop()
    this.#stopping.abort()
  }
}

/** Executed at once, without queueing. */
export const driveOrders = ['confirm', 'decline', 'pause', 'resume', 'skip', 'stop', 'reset'] as const

export type DriveOrder = (typeof driveOrders)[number]

/** These, or `arrived`. @param command as read by `commandWord` */
export const isOrder = (command: string): boolean =>
  command === 'arrived' || driveOrders.some((order) => order === command)
