import { randomUUID } from 'node:crypto'
import { uptime as hostUptime } from 'node:os'
import type { Client } from '../client/create-client'
import { restAfter } from '../client/error-answer'
import { errorsOf, type VisionError } from '../client/vision-error'
import type { SysInfo } from '../contract'
import { bootId } from '../files/boot-id'
import { sentencesIn } from '../kernel/sentences'
import { pauseFor } from '../kernel/timers'
import type en from './locales/en-US/sentences.json'

/** `asked`: runs as before; `away`: no answer; `starting`: some modules are not running; `ready`: it is back. */
export type RebootPhase = 'asked' | 'away' | 'starting' | 'ready'

type Device = Pick<Client, 'name' | 'address' | 'getSystem' | 'reboot'>

/** Time limits and callbacks of a restart. */
export interface RebootOptions {
  /** Ends the wait; the requested restart still happens. */
  signal?: AbortSignal
  /** Seconds from the request until the device must have gone down. @default 60 */
  goneWithin?: number
  /** Seconds from the request until the device must be ready. @default 600 */
  readyWithin?: number
  /** Polling interval, milliseconds. @default 500 */
  interval?: number
  /** Called once for each phase, in order, with the seconds since the request. Must not throw. */
  onPhase?: (phase: RebootPhase, seconds: number) => void
  /** Language of error sentences. @default 'en-US' */
  language?: string
}

const deadline = 2000 // milliseconds per read

/**
 * Restarts a device and waits until it is ready again. The restart is proven by the uptime, not by the device's
 * silence. It is requested once: without an answer, the uptime shows what happened.
 * @returns the state of the device after the restart
 * @throws VisionError `TIMEOUT` if it does not restart or is not ready in time; `OUTCOME_UNKNOWN` if the request was
 * not answered and the device has not restarted; `REFUSED` if another device answers; `ABORTED`; and the device's error
 * for the request
 */
export async function reboot(client: Device, options: RebootOptions = {}): Promise<SysInfo> {
  const { signal } = options
  const before = await markedState(() => client.getSystem({ signal }))
  const unanswered = await client.reboot({ signal }).then(() => undefined, doubt)
  return untilRestarted(client, before, unanswered, options)
}

/** Many devices go down before they have answered: the request may have taken effect. */
function doubt(error: VisionError): VisionError {
  if (error.code === 'OUTCOME_UNKNOWN') return error
  throw error
}

/**
 * Waits until a device has restarted and is ready, whether the restart was requested or not. @param before its state
 * before, with its mark @param unanswered why it is unknown whether the device received the request
 */
export async function untilRestarted(
  client: Device,
  before: MarkedState,
  unanswered: VisionError | undefined,
  { signal, goneWithin = 60, readyWithin = 600, interval = 500, onPhase, language }: RebootOptions = {},
): Promise<SysInfo> {
  const requestedAt = performance.now()
  const seconds = () => (performance.now() - requestedAt) / 1000
  const phases = phaseReporter((phase) => onPhase?.(phase, seconds()))
  const failed = (key: 'reboot-not-begun' | 'reboot-not-ready', within: number) =>
    systemError(
      { code: 'TIMEOUT', key, values: { seconds: within } },
      { operation: 'reboot', device: client.name, address: client.address, language },
    )

  const otherDevice = (found: string) =>
    systemError(
      { code: 'REFUSED', key: 'reboot-other-device', values: { found, serial: before.system.serial } },
      { operation: 'reboot', device: client.name, address: client.address, language },
    )

  let restarted = false
  phases.tell('asked')
  for (;;) {
    const { now, rest, limited } = await poll(client, signal)
    const left = readyWithin - seconds()
    if (limited && left <= 0) throw limited
    // Another device's uptime proves nothing. Addresses may be reassigned while a device is away.
    if (now && now.system.serial !== before.system.serial) throw otherDevice(now.system.serial)
    if (now) restarted ||= hasRestarted(before.mark, now.mark)
    if (restarted && now?.system.ready) {
      phases.tell('ready')
      return now.system
    }
    // A device that runs as before was not away: a single answer was lost.
    const isAway = !limited && (restarted || !now?.system.ready)
    if (isAway) phases.tell(now ? 'starting' : 'away')
    if (!limited && !isAway && seconds() > goneWithin)
      throw unanswered ?? failed('reboot-not-begun', goneWithin)
    if (left < 0) throw failed('reboot-not-ready', readyWithin)
    // An abort during this pause ends the next read.
    await pauseFor(Math.max(interval, Math.min(rest, 1000 * left)), signal)
  }
}

interface PollResult {
  now?: MarkedState
  limited?: VisionError
  /** Pause that the device asks for, milliseconds. */
  rest: number
}

/** Errors of a device that is away. */
const silent: readonly string[] = ['UNREACHABLE', 'TIMEOUT', 'STARTING', 'BAD_REPLY', 'DEVICE_FAULT']

async function poll(client: Device, signal: AbortSignal | undefined): Promise<PollResult> {
  try {
    return {
      now: await markedState(() => client.getSystem({ signal, deadline, waitForDevice: false })),
      rest: 0,
    }
  } catch (problem) {
    const error = problem as VisionError
    const rest = restAfter(error)
    if (silent.includes(error.code)) return { rest }
    if (error.code !== 'RATE_LIMITED') throw error
    return { limited: error, rest: Math.max(rest, shortestRest) }
  }
}

const shortestRest = 500 // milliseconds, if the device does not say how long

const order: readonly RebootPhase[] = ['asked', 'away', 'starting', 'ready']

function phaseReporter(report: (phase: RebootPhase) => void) {
  let reached = -1
  return {
    tell: (phase: RebootPhase) => {
      const place = order.indexOf(phase)
      if (place <= reached) return
      reached = place
      report(phase)
    },
  }
}

/** An uptime and when it was read: two of these prove a restart in between. */
export interface UptimeMark {
  uptime: number
  /** Time before the request and after its answer, ms of `hostNow`. */
  asked: number
  answered: number
  /** Times of two clocks prove nothing. Missing in journals of older versions. */
  clock?: string
}

/** The state of a device, and when it was read. */
export interface MarkedState {
  system: SysInfo
  mark: UptimeMark
}

const boot = bootId()

/** One start of this computer, or this process if the system does not identify its starts. */
const hostClock = boot ?? randomUUID()

/** Milliseconds, monotonic, continuing across restarts of this program. */
const hostNow = (): number => (boot === undefined ? performance.now() : 1000 * hostUptime())

/** Reads the state of a device. @throws what `read` throws */
export async function markedState(read: () => Promise<SysInfo>): Promise<MarkedState> {
  const requestedAt = hostNow()
  const system = await read()
  return {
    system,
    mark: { uptime: system.uptime, asked: requestedAt, answered: hostNow(), clock: hostClock },
  }
}

/**
 * Whether the device has restarted between two marks: it has been running for less time than has passed. Also correct
 * long after the restart, when the uptime is longer than before, as long as both marks are of the same clock.
 */
export function hasRestarted(before: UptimeMark, now: UptimeMark): boolean {
  if (now.uptime < before.uptime) return true
  if (now.clock !== before.clock) return false
  const latestStart = before.answered - 1000 * before.uptime
  const earliestStart = now.asked - 1000 * now.uptime
  return earliestStart - latestStart > tolerance(before, now)
}

const hostRounding = 20 // error of `hostNow`, milliseconds

/** Milliseconds: two clocks may differ by a thousandth, an uptime by its rounding and its age. */
function tolerance(before: UptimeMark, now: UptimeMark): number {
  const decimals = Math.max(decimalsOf(before.uptime), decimalsOf(now.uptime))
  const clocks = Math.abs(now.asked - before.answered) / 1000
  return hostRounding + 1000 / 10 ** decimals + clocks + oldest(before)
}

/**
 * Age of an uptime, milliseconds: a device may renew it only every second, which must not look like a restart. A
 * restart shows by at least the uptime before it, so half of that is left for a device that has only just started.
 */
const oldest = (before: UptimeMark): number => Math.min(1000, 500 * before.uptime)

/** At most two: a hundredth of a second is no worse than `hostNow`. */
const decimalsOf = (seconds: number): number => [0, 1].find((count) => isRounded(seconds, count)) ?? 2

const isRounded = (seconds: number, decimals: number) => Number(seconds.toFixed(decimals)) === seconds

const systemError = errorsOf(sentencesIn<typeof en>(__dirname))
