import { Period } from './period'

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
