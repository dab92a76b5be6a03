import type { Time } from '../codec/streams'
import { LossCount, type Losses } from './losses'

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
  private readonly arrivals = new Float64Array(rateMessages)
  private count = 0
  private lastArrival = -Infinity
  private newest: { timestamp: Time; arrival: number } | undefined
  private jitter = 0
  private readonly losses: LossCount

  /** @param period seconds between messages, if known */
  constructor(period?: number) {
    this.losses = new LossCount(period)
  }

  /** @param now milliseconds of a monotonic clock */
  message(timestamp: Time, now: number): void {
    this.arrivals[this.count++ % rateMessages] = now
    this.lastArrival = now
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
      rate: this.rate(now),
      jitter: this.jitter,
      ...this.losses.losses,
      ...(this.newest && { silence: this.silence(now), timestamp: this.newest.timestamp }),
    }
  }

  /** Milliseconds since the last message, infinite before the first. */
  silence(now: number): number {
    return now - this.lastArrival
  }

  private rate(now: number): number {
    const kept = Math.min(this.count, rateMessages)
    let oldest = now
    let messages = 0
    while (messages < kept) {
      const arrival = this.arrivals[(this.count - 1 - messages) % rateMessages] as number
      if (now - arrival > rateSpan) break
      oldest = arrival
      messages++
    }
    return messages > 1 && this.lastArrival > oldest
      ? ((messages - 1) * 1000) / (this.lastArrival - oldest)
      : 0
  }
}

const secondsBetween = (one: Time, other: Time): number =>
  Number(other.sec ?? 0) - Number(one.sec ?? 0) + ((other.nsec ?? 0) - (one.nsec ?? 0)) / 1e9
