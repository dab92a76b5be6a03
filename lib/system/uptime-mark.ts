import { randomUUID } from 'node:crypto'
import { uptime as hostUptime } from 'node:os'
import type { SysInfo } from '../contract'
import { bootId } from '../files/boot-id'

/** When a device was asked, and its uptime then: two of these prove a restart in between. */
export interface UptimeMark {
  /** Seconds. */
  uptime: number
  /** Time before the request and after its answer, ms of `hostNow`. */
  asked: number
  answered: number
  /** Identifies the clock: times of two clocks prove nothing. Missing in journals of older versions. */
  clock?: string
}

/** The state of a device, and when it was read. */
export interface MarkedState {
  system: SysInfo
  mark: UptimeMark
}

const boot = bootId()

/**
 * Identifies the clock of `hostNow`: one start of this computer, or this process if the system does not identify its
 * starts.
 */
const hostClock = boot ?? randomUUID()

/** Milliseconds of a monotonic clock that continues across restarts of this program. */
const hostNow = (): number => (boot === undefined ? performance.now() : 1000 * hostUptime())

/** Reads the state of a device. Throws what `read` throws. */
export async function markedState(read: () => Promise<SysInfo>): Promise<MarkedState> {
  const asked = hostNow()
  const system = await read()
  return { system, mark: { uptime: system.uptime, asked, answered: hostNow(), clock: hostClock } }
}

/**
 * Whether the device has restarted between two marks, proven by its uptime: it has been running for less time than has
 * passed. A failed request proves nothing. Also correct long after the restart, when the uptime is longer than before,
 * as long as both times are of the same clock.
 */
export function hasRestarted(before: UptimeMark, now: UptimeMark): boolean {
  if (now.uptime < before.uptime) return true
  if (now.clock !== before.clock) return false
  const latestStart = before.answered - 1000 * before.uptime
  const earliestStart = now.asked - 1000 * now.uptime
  return earliestStart - latestStart > tolerance(before, now)
}

/** Milliseconds by which the host's own clock may be off at each reading. */
const hostRounding = 20

/** Milliseconds: two clocks may differ by a thousandth, an uptime by its rounding, and by the age of the value. */
function tolerance(before: UptimeMark, now: UptimeMark): number {
  const decimals = Math.max(decimalsOf(before.uptime), decimalsOf(now.uptime))
  const clocks = Math.abs(now.asked - before.answered) / 1000
  return hostRounding + 1000 / 10 ** decimals + clocks + oldest(before)
}

/**
 * Milliseconds by which an uptime may be out of date: nothing says that a device reads it for each request, and a value
 * that is renewed every second must not look like a restart. A restart shows by at least the uptime before it, so half
 * of that is left for a device that has only just started; only virtual ones answer so soon.
 */
const oldest = (before: UptimeMark): number => Math.min(1000, 500 * before.uptime)

/** At most two: a hundredth of a second is no worse than the host's own clock. */
const decimalsOf = (seconds: number): number => [0, 1].find((count) => isRounded(seconds, count)) ?? 2

const isRounded = (seconds: number, decimals: number) => Number(seconds.toFixed(decimals)) === seconds
