import type { Image } from '../../../lib/codec/images/codec'
import type { Attempt, Pose, Vector } from '../../../lib/robotics'
import { NodeAnswer, type Outcome } from '../../shared/outcome'
import type { StatusWord } from '../../shared/status'
import type { Inbound } from '../inbound'
import type { DriveReport } from './report'

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
  /** What was told last, besides questions. */
  said: Spoken | undefined
  /** What a look outside the plan has seen since. */
  seenNow: Spoken | undefined
  question: { request: string; report: Spoken } | undefined
  /** What was told last about the plan. */
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
