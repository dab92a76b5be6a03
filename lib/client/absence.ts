import { RetrySchedule } from '../kernel/connection'
import { startTimeout } from '../kernel/timers'

/** A call that waits until the device takes requests again. */
export interface AbsenceWaiter {
  tryAgain: () => void
}

/** Why a device takes no requests: nothing could be sent, or it answers that it is starting. */
export type AbsenceReason = 'UNREACHABLE' | 'STARTING'

/** Milliseconds: the longest pause between two attempts. */
const longestPause = 1000

/**
 * Milliseconds of absence after which calls no longer wait until their deadline: a device that has been off for longer
 * will not be back in time, and messages would pile up behind each call.
 */
const patience = 60_000

/**
 * The calls that wait for a device that takes no requests. One of them tries again after each pause, whatever their
 * number; as soon as the device answers one, all continue.
 */
export class Absence {
  private reason: AbsenceReason | undefined
  private since = 0
  private lastMissed = 0
  private readonly pauses: RetrySchedule
  /** End of the pause that the device asked for. */
  private notBefore = 0
  private timer: NodeJS.Timeout | undefined
  private readonly waiting = new Set<AbsenceWaiter>()

  constructor(
    random: () => number,
    /** Milliseconds of a monotonic clock. */
    private readonly now: () => number,
    /** Called when the device is missed first, and when the reason changes. */
    private readonly onAway: () => void,
  ) {
    this.pauses = new RetrySchedule({ longest: longestPause, random })
  }

  /**
   * Notes that the device takes no requests, and lets the call wait for it.
   * @param rest milliseconds that the device asks to wait
   * @returns false if it has been away for so long that calls no longer wait
   */
  wait(call: AbsenceWaiter, reason: AbsenceReason, rest: number): boolean {
    const now = this.now()
    const isNew = reason !== this.reason || now - this.lastMissed > patience
    this.lastMissed = now
    if (isNew) {
      this.reason = reason
      this.since = now
      this.pauses.reset()
      this.onAway()
    }
    if (now - this.since > patience) return false
    this.notBefore = Math.max(this.notBefore, now + rest)
    this.waiting.add(call)
    this.schedule()
    return true
  }

  withdraw(call: AbsenceWaiter): void {
    this.waiting.delete(call)
    if (this.waiting.size === 0) this.stopTimer()
  }

  /** The device has answered. */
  over(): void {
    if (this.reason === undefined) return
    this.reason = undefined
    this.notBefore = 0
    this.stopTimer()
    const waiting = [...this.waiting]
    this.waiting.clear()
    for (const call of waiting) call.tryAgain()
  }

  private schedule() {
    if (this.timer) return
    const pause = this.pauses.next(this.notBefore - this.now())
    // One more millisecond, because timers may fire up to a millisecond early.
    this.timer = startTimeout(() => this.tryOne(), pause + 1)
  }

  private tryOne() {
    this.timer = undefined
    const [call] = this.waiting
    if (!call) return
    this.waiting.delete(call)
    // Before the attempt, so that one whose connection hangs does not keep the others waiting.
    if (this.waiting.size > 0) this.schedule()
    call.tryAgain()
  }

  private stopTimer() {
    clearTimeout(this.timer)
    this.timer = undefined
  }
}
