import type { Attempt, Pose } from '../../../lib/robotics'
import { NodeAnswer, type Outcome } from '../../shared/outcome'
import type { StatusWord } from '../../shared/status-word'
import type { Inbound } from '../inbound'
import type { DriveReport } from './report'

/** A report, or what makes it in the language that is then spoken: people look at it in their own. */
export type Spoken = DriveReport | (() => DriveReport)

export const reportNow = (report: Spoken): DriveReport => (typeof report === 'function' ? report() : report)

/** What people see of a robot that drives itself: of the work under way, then of the last one. */
export class DriveDisplay {
  /** Where the robot stood when it was last asked, in its own numbers. */
  at: string | undefined
  attempts: readonly Attempt[] = []
  /** What the robot does, as the node's status says it. */
  doing: { word: StatusWord; count: number } | undefined
  /** What was told last, besides questions. */
  said: Spoken | undefined
  question: { request: string; report: Spoken } | undefined
  /** What was told last about the plan. */
  plan: Spoken | undefined
  /** How it ended: with this, or with an error. */
  end: Spoken | undefined
  error: unknown
  #planned: { poses: readonly Pose[]; after: number } = { poses: [], after: 0 }

  begins(): void {
    this.attempts = []
    this.#planned = { poses: [], after: 0 }
    this.at = this.doing = this.said = this.question = this.plan = this.end = this.error = undefined
  }

  /** The same message, whose progress shows here too. */
  watched(inbound: Inbound): Inbound {
    const progress = (word: StatusWord, count = 0) => {
      this.doing = { word, count }
      inbound.progress(word, count)
    }
    return { ...inbound, progress }
  }

  tells(told: Spoken, { request }: DriveReport): void {
    if (typeof request === 'string') this.question = { request, report: told }
    else this.said = told
  }

  /** @param poses from here to the end */
  plans(poses: readonly Pose[], report: Spoken): void {
    this.#planned = { poses, after: this.attempts.length }
    this.plan = report
  }

  /** The planned poses at which the robot has not looked yet. */
  get planned(): readonly Pose[] {
    return this.#planned.poses.slice(this.attempts.length - this.#planned.after)
  }

  ends(outcome: Outcome): void {
    if (outcome instanceof NodeAnswer) this.end ??= outcome.properties['payload'] as DriveReport
  }

  /** A person has had the device calibrate from the poses, or save the result. */
  finishes(report: DriveReport): void {
    this.error = undefined
    const { bound, comparison, residuals } = this.end ? reportNow(this.end) : report
    this.end = { ...report, ...(bound && { bound }), comparison, residuals }
  }

  failed(error: unknown): void {
    this.error = error
  }
}
