import { firmwareSentences, type FirmwareSentence } from './firmware-error'
import type { Mode, Progress, Step } from './types'

/** Approximate share of each step in a run, on a device that takes minutes. */
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

/** Milliseconds between two messages of one step, unless it progressed by this share. */
const pause = 250

const leap = 0.05

/** Milliseconds between two messages while a device does not answer. */
const awayPause = 5000

/** Seconds. Longer estimates are meaningless: the upload is stalled. */
const longestLeft = 24 * 3600

/** Turns the events of a run into progress messages: whole run, step, rate and remaining time. */
export class ProgressReporter {
  private percent = 0
  private step: Step | undefined
  /** Share of the step in the last message. */
  private share = 0
  private attempt = 1
  private reportedAt = 0
  private since = { at: 0, sent: 0 }
  private rate: number | undefined
  private isAway = false
  private isWaiting = false

  constructor(
    private mode: Mode,
    private readonly onProgress: ((progress: Progress) => void) | undefined,
    private readonly device: string,
    private readonly language: string | undefined,
  ) {}

  /** A resumed run may have another mode than requested. */
  resumeIn(mode: Mode): void {
    this.mode = mode
  }

  /** A step begins or has progressed. @param share 0 to 1 */
  at(step: Step, share = 0): void {
    const isNew = step !== this.step
    if (!isNew && share < 1 && performance.now() - this.reportedAt < pause) return
    this.report(step, share, {})
  }

  /** Progress of an upload in bytes; `attempt` is 1 for the first one. */
  sent(sent: number, total: number, attempt: number): void {
    const now = performance.now()
    if (this.step !== 'upload' || attempt !== this.attempt || sent < this.since.sent) {
      this.since = { at: now, sent }
      this.rate = undefined
      this.attempt = attempt
    } else if (now - this.reportedAt < pause && sent < total && sent - this.since.sent < leap * total) return
    this.measure(sent, now)
    this.report('upload', total > 0 ? sent / total : 1, {
      sent,
      total,
      attempt,
      ...(this.rate !== undefined && { bytesPerSecond: this.rate }),
      ...timeLeft(total - sent, this.rate),
    })
  }

  /** The device does not answer; the run gives up after this many seconds. */
  away(seconds: number): void {
    if (!this.step || (this.isAway && performance.now() - this.reportedAt < awayPause)) return
    const key = this.step === 'reboot' ? 'firmware-step-reboot-away' : 'firmware-step-away'
    this.report(this.step, this.share, { waitsFor: 'device', givesUpIn: Math.ceil(seconds) }, key)
  }

  /** The whole image was sent, and the device does not show it; the run stops waiting after this many seconds. */
  waitsForImage(seconds: number): void {
    if (this.isWaiting && performance.now() - this.reportedAt < awayPause) return
    this.report('write', 0, { waitsFor: 'image', givesUpIn: Math.ceil(seconds) }, 'firmware-step-write-waits')
  }

  /** The device answers. */
  back(): void {
    if (this.isAway && this.step) this.report(this.step, this.share, {})
  }

  /** The recent rate, smoothed so that the remaining time does not jump. */
  private measure(sent: number, now: number): void {
    const seconds = (now - this.since.at) / 1000
    if (seconds <= 0) return
    const latest = (sent - this.since.sent) / seconds
    this.rate = this.rate === undefined ? latest : 0.7 * this.rate + 0.3 * latest
    this.since = { at: now, sent }
  }

  private report(step: Step, share: number, more: Partial<Progress>, key = this.keyOf(step)): void {
    this.step = step
    this.share = Math.min(1, share)
    this.reportedAt = performance.now()
    this.isAway = more.waitsFor === 'device'
    this.isWaiting = more.waitsFor === 'image'
    this.percent = Math.max(this.percent, this.whole(step, this.share))
    const values = { device: this.device, attempt: this.attempt, seconds: more.givesUpIn }
    this.onProgress?.({
      step,
      percent: rounded(this.percent),
      stepPercent: rounded(100 * this.share),
      ...more,
      text: firmwareSentences.say(key, values, this.language),
    })
  }

  private keyOf(step: Step): FirmwareSentence {
    return step === 'upload' && this.attempt > 1 ? 'firmware-step-upload-again' : `firmware-step-${step}`
  }

  private whole(step: Step, share: number): number {
    const all = stepsOf[this.mode]
    const sum = (some: readonly Step[]) => some.reduce((total, each) => total + weights[each], 0)
    const at = all.indexOf(step)
    // Rolling back is not progress.
    if (at < 0) return this.percent
    return (100 * (sum(all.slice(0, at)) + share * weights[step])) / sum(all)
  }
}

/** Seconds until this many bytes are sent, if the rate is known. */
function timeLeft(bytes: number, rate = 0): { secondsLeft?: number } {
  const secondsLeft = bytes > 0 ? bytes / rate : 0
  return secondsLeft <= longestLeft ? { secondsLeft } : {}
}

const rounded = (percent: number) => Math.round(10 * percent) / 10
