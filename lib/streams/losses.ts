/** A larger step of the timestamp in either direction, seconds, is a pause of the device and not a loss of messages. */
const longestGap = 10
/** A message older than the newest by more than this, seconds, is not a late one: the device's clock was set back. */
const latest = 1

/** What the timestamps of a stream show. */
export interface Losses {
  /** Number of gaps between two messages. */
  gaps: number
  /** Longest gap, seconds. */
  longestGap: number
  /** Messages missing in all gaps. */
  lost: number
  /** Messages that arrived after newer ones; they do not count as lost. */
  late: number
  /** Messages with the same timestamp as the newest. */
  repeated: number
  /** Backward steps of the timestamp, and steps of more than 10 s: the device paused, or its clock was set. */
  pauses: number
}

/** Counts missing messages from the timestamps of those that arrived. */
export class LossCount {
  readonly losses: Losses = { gaps: 0, longestGap: 0, lost: 0, late: 0, repeated: 0, pauses: 0 }
  /** Time between messages, as far as it is known. */
  readonly period: Period

  constructor(period?: number) {
    this.period = new Period(period)
  }

  /**
   * @param step seconds by which the timestamp is newer than the newest so far @returns whether it is now the newest
   */
  add(step: number): boolean {
    const { losses } = this
    if (step < -latest || step > longestGap) {
      losses.pauses++
      return true
    }
    if (step > 0) {
      for (const each of this.period.add(step)) this.judge(each)
      return true
    }
    if (step === 0) losses.repeated++
    else {
      losses.late++
      if (losses.lost > 0) losses.lost--
    }
    return false
  }

  private judge(step: number): void {
    const missing = Math.round(step / this.period.seconds) - 1
    if (missing < 1) return
    this.losses.gaps++
    this.losses.lost += missing
    this.losses.longestGap = Math.max(this.losses.longestGap, step)
  }
}

/** Number of steps needed to estimate the period, and number of steps used later. */
const [first, kept] = [8, 32]

/** The time between messages, estimated from their timestamps: the median of the steps, as most messages arrive. */
class Period {
  private readonly steps: number[] = []
  private next = 0
  private found: number

  /** @param known seconds, if given @default estimated */
  constructor(private readonly known = NaN) {
    this.found = known
  }

  /** NaN until it is known. */
  get seconds(): number {
    return this.found
  }

  /** @param step seconds @returns the steps that can now be judged: this one, all that were waiting, or none */
  add(step: number): readonly number[] {
    this.steps[this.next] = step
    this.next = (this.next + 1) % kept
    if (!Number.isNaN(this.known)) return [step]
    const known = !Number.isNaN(this.found)
    if (this.next % first === 0) {
      const sorted = [...this.steps].sort((one, other) => one - other)
      this.found = sorted[Math.floor(sorted.length / 2)] as number
    }
    if (known) return [step]
    return Number.isNaN(this.found) ? [] : this.steps
  }
}
