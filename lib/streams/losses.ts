import { Period } from './period'

/** A step of the timestamp by more than this, seconds, either way, is a pause of the device and no loss of messages. */
const longestGap = 10
/** A message that is older than the newest by more than this, seconds, is no late one: the device's clock was set back. */
const latest = 1

/** What the timestamps of a stream tell. */
export interface Losses {
  /** How often messages were missing between two that came. */
  gaps: number
  /** Longest of those, seconds. */
  longestGap: number
  /** Messages that were missing in them. */
  lost: number
  /** Messages that came after newer ones; they do not count as lost. */
  late: number
  /** Messages with the timestamp of the newest. */
  repeated: number
  /** Steps of the timestamp back, or by more than 10 s: the device paused, or its clock was set. */
  pauses: number
}

/** Counts what did not come, from the timestamps of what did. */
export class LossCount {
  readonly losses: Losses = { gaps: 0, longestGap: 0, lost: 0, late: 0, repeated: 0, pauses: 0 }
  /** Between messages, as far as it is known. */
  readonly period: Period

  constructor(period?: number) {
    this.period = new Period(period)
  }

  /** @param step seconds by which the timestamp is newer than the newest before @returns whether it is the newest now */
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
