import { randomUUID } from 'node:crypto'
import { uptime as hostUptime } from 'node:os'
import type { SysInfo } from '../contract'
import { bootId } from '../files/boot-id'

/** When a device was asked, and how long it had been running: two of these prove a restart in between. */
export interface UptimeMark {
  /** Seconds. */
  uptime: number
  /** When it was asked and when it had answered, ms of `hostNow`. */
  asked: number
  answered: number
  /** Which clock that was: the times of two clocks prove nothing. Journals of older versions do not tell. */
  clock?: string
}

/** The state of a device, and when it was read. */
export interface MarkedState {
  system: SysInfo
  mark: UptimeMark
}

const boot = bootId()

/** Which clock `hostNow` is: that of one start of this computer, or of this process if the system does not tell its starts. */
const hostClock = boot ?? randomUUID()

/** Milliseconds of a clock that continues over restarts of this program, and that nobody can set. */
const hostNow = (): number => (boot === undefined ? performance.now() : 1000 * hostUptime())

/** Reads the state of a device. Throws what `read` throws. */
export async function markedState(read: () => Promise<SysInfo>): Promise<MarkedState> {
  const asked = hostNow()
  const system = await read()
  return { system, mark: { uptime: system.uptime, asked, answered: hostNow(), clock: hostClock } }
}

/**
 * Whether the device has restarted between two marks, proven by its uptime: it has been running for less time than has
 * passed. A request that fails proves nothing. Right also long after the restart, when the uptime is longer than it was,
 * as long as the same clock told both times.
 */
export function hasRestarted(before: UptimeMark, now: UptimeMark): boolean {
  if (now.uptime < before.uptime) return true
  if (now.clock !== before.clock) return false
  const latestStart = before.answered - 1000 * before.uptime
  const earliestStart = now.asked - 1000 * now.uptime
  return earliestStart - latestStart > tolerance(before, now)
}

/** Milliseconds by which the host's own clock may be off at each of two readings. */
const hostRounding = 20

/** Milliseconds: two clocks differ by up to a thousandth, and an uptime by what it is rounded to. */
function tolerance(before: UptimeMark, now: UptimeMark): number {
  const decimals = Math.max(decimalsOf(before.uptime), decimalsOf(now.uptime))
  return hostRounding + 1000 / 10 ** decimals + Math.abs(now.asked - before.answered) / 1000
}

/** Two at most: a hundredth of a second is no worse than the host's own clock. */
const decimalsOf = (seconds: number): number => [0, 1].find((count) => isRounded(seconds, count)) ?? 2

const isRounded = (seconds: number, decimals: number) => Number(seconds.toFixed(decimals)) === seconds
