import { sentence } from '../client/sentences'
import { steadyNow } from './steady-clock'
import type { Mode, Progress, Step } from './types'

/** How much of a run each step takes, roughly, on a device that needs minutes. */
const weights: Record<Step, number> = {
  check: 2,
  backup: 2,
  upload: 50,
  write: 10,
  rollback: 1,
  reboot: 30,
  verify: 6,
}

const stepsOf: Record<Mode, readonly Step[]> = {
  check: ['check'],
  update: ['check', 'backup', 'upload', 'write', 'reboot', 'verify'],
  upload: ['check', 'backup', 'upload', 'write'],
  activate: ['check', 'backup', 'reboot', 'verify'],
  rollback: ['check', 'backup', 'rollback', 'reboot', 'verify'],
}

/** Milliseconds between two messages of one step, unless it went on by that share. */
const pause = 250
const leap = 0.05

/** Turns what a run does into progress messages: whole run, step, rate and time left. */
export class Teller {
  private percent = 0
  private step: Step | undefined
  private toldAt = 0
  private since = { at: 0, sent: 0 }
  private rate: number | undefined

  constructor(
    private mode: Mode,
    private readonly onProgress: ((progress: Progress) => void) | undefined,
    private readonly device: string,
    private readonly language: string | undefined,
  ) {}

  /** A run that goes on may be of another mode than asked for. */
  goesOn(mode: Mode): void {
    this.mode = mode
  }

  /** A step begins, or has come that far. @param share 0 to 1 */
  at(step: Step, share = 0, values: Record<string, unknown> = {}): void {
    const isNew = step !== this.step
    const now = steadyNow()
    if (!isNew && share < 1 && now - this.toldAt < pause) return
    this.tell(step, share, values, {})
  }

  /** An upload has come that far. @param values `attempt` for the sentence */
  sent(sent: number, total: number, attempt: number): void {
    const now = steadyNow()
    if (this.step !== 'upload' || sent < this.since.sent) {
      this.since = { at: now, sent }
      this.rate = undefined
    } else if (now - this.toldAt < pause && sent < total && sent - this.since.sent < leap * total) return
    this.measure(sent, now)
    const left = this.rate === undefined || this.rate <= 0 ? {} : { secondsLeft: (total - sent) / this.rate }
    const rate = this.rate === undefined ? {} : { bytesPerSecond: this.rate }
    this.tell(
      'upload',
      total === 0 ? 1 : sent / total,
      { attempt },
      { sent, total, attempt, ...rate, ...left },
    )
  }

  /** The rate of the last moments, smoothed, so that the time left does not jump. */
  private measure(sent: number, now: number): void {
    const seconds = (now - this.since.at) / 1000
    if (seconds <= 0) return
    const latest = (sent - this.since.sent) / seconds
    this.rate = this.rate === undefined ? latest : 0.7 * this.rate + 0.3 * latest
    this.since = { at: now, sent }
  }

  private tell(step: Step, share: number, values: Record<string, unknown>, more: Partial<Progress>): void {
    this.step = step
    this.toldAt = steadyNow()
    this.percent = Math.max(this.percent, this.whole(step, Math.min(1, share)))
    const again = (values.attempt as number | undefined) ?? 1
    const key =
      step === 'upload' && again > 1 ? 'firmware-step-upload-again' : (`firmware-step-${step}` as const)
    this.onProgress?.({
      step,
      percent: rounded(this.percent),
      stepPercent: rounded(100 * Math.min(1, share)),
      ...more,
      text: sentence(key, { device: this.device, ...values }, this.language),
    })
  }

  private whole(step: Step, share: number): number {
    const all = stepsOf[this.mode]
    const sum = (some: readonly Step[]) => some.reduce((total, each) => total + weights[each], 0)
    const at = all.indexOf(step)
    // Going back is no progress.
    if (at < 0) return this.percent
    return (100 * (sum(all.slice(0, at)) + share * weights[step])) / sum(all)
  }
}

const rounded = (percent: number) => Math.round(10 * percent) / 10
