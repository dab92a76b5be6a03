import { RateMeter } from '../kernel/rate'
import type { Time } from '../codec/streams'

/** Milliseconds over which the rate is measured, and the most messages used for it. */
const [rateSpan, rateMessages] = [2000, 512]
/** As in RTP (RFC 3550): each message moves the mean by a sixteenth. */
const jitterShare = 1 / 16

/** How a stream arrives. */
export interface Arrival extends Losses {
  /** Messages per second over the last two seconds. */
  rate: number
  /** Mean difference between the interval of two messages and that of their timestamps, milliseconds. */
  jitter: number
  /** Milliseconds since the last message; absent before the first. */
  silence?: number
  /** Timestamp of the newest message, by the device's time. */
  timestamp?: Time
}

/** Measures a stream from the arrival times and the timestamps of its messages. */
export class Meter {
  private readonly arrivals = new RateMeter({ events: rateMessages, span: rateSpan })
  private newest: { timestamp: Time; arrival: number } | undefined
  private jitter = 0
  private readonly losses: LossCount

  /** @param period seconds between messages, if known */
  constructor(period?: number) {
    this.losses = new LossCount(period)
  }

  /** @param now milliseconds of a monotonic clock */
  message(timestamp: Time, now: number): void {
    this.arrivals.add(now)
    const { newest } = this
    const step = newest ? secondsBetween(newest.timestamp, timestamp) : undefined
    if (newest && step !== undefined) {
      const { pauses } = this.losses.losses
      if (!this.losses.add(step)) return
      // A pause says nothing about how evenly the network delivers.
      if (pauses === this.losses.losses.pauses)
        this.jitter += (Math.abs(now - newest.arrival - step * 1000) - this.jitter) * jitterShare
    }
    this.newest = { timestamp, arrival: now }
  }

  report(now: number): Arrival {
    return {
      rate: this.arrivals.rate(now),
      jitter: this.jitter,
      ...this.losses.losses,
      ...(this.newest && { silence: this.silence(now), timestamp: this.newest.timestamp }),
    }
  }

  /** Milliseconds since the last message, infinite before the first. */
  silence(now: number): number {
    return now - this.arrivals.lastAt
  }
}

const secondsBetween = (one: Time, other: Time): number =>
  Number(other.sec ?? 0) - Number(one.sec ?? 0) + ((other.nsec ?? 0) - (one.nsec ?? 0)) / 1e9

/** A larger step of the timestamp in either direction, seconds, is a pause of the device and not a loss of messages. */
const longestGap = 10
/** A message older than the newest by more than this, seconds, is not a late one: the device's clock was set back. */
const latest = 1

/** What the timestamps of a stream show. */
interface Losses {
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
