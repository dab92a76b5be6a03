import type { Client } from '../client/client'
import { restAfter } from '../client/retry-after'
import type { VisionError } from '../client/vision-error'
import type { SysInfo } from '../contract'
import { systemError } from './sentences'
import { hasRestarted, markedState, type MarkedState } from './uptime-mark'
import { sleep } from '../timers/timers'

/**
 * Progress of a restart. `asked`: the device still runs as before; `away`: it does not answer; `starting`: it answers,
 * but some of its modules are not running; `ready`: it is back.
 */
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

/** Milliseconds for one read. */
const deadline = 2000

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

/** An unanswered request may have taken effect: many devices go down before they have answered. */
function doubt(error: VisionError): VisionError {
  if (error.code === 'OUTCOME_UNKNOWN') return error
  throw error
}

/**
 * Waits until a device that was asked to restart, or restarts by itself, has done so and is ready.
 * @param before the state of the device before, with its mark
 * @param unanswered why it is unknown whether the device received the request
 */
export async function untilRestarted(
  client: Device,
  before: MarkedState,
  unanswered: VisionError | undefined,
  { signal, goneWithin = 60, readyWithin = 600, interval = 500, onPhase, language }: RebootOptions = {},
): Promise<SysInfo> {
  const asked = performance.now()
  const seconds = () => (performance.now() - asked) / 1000
  const phases = phaseTeller((phase) => onPhase?.(phase, seconds()))
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
    const { now, rest, limited } = await look(client, signal)
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
    await sleep(Math.max(interval, Math.min(rest, 1000 * left)), signal).catch(() => undefined)
  }
}

/** The result of one read: the state of the device, or that it is not there, or that it asks for fewer requests. */
interface RebootLook {
  now?: MarkedState
  limited?: VisionError
  /** Milliseconds that the device asks to wait. */
  rest: number
}

/** Errors of a device that is not there. */
const silent: readonly string[] = ['UNREACHABLE', 'TIMEOUT', 'STARTING', 'BAD_REPLY', 'DEVICE_FAULT']

async function look(client: Device, signal: AbortSignal | undefined): Promise<RebootLook> {
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

/** Milliseconds, if the device does not say how long. */
const shortestRest = 500

const order: readonly RebootPhase[] = ['asked', 'away', 'starting', 'ready']

/** Reports a phase only if it is further than the previous one. */
function phaseTeller(told: (phase: RebootPhase) => void) {
  let reached = -1
  return {
    tell: (phase: RebootPhase) => {
      const place = order.indexOf(phase)
      if (place <= reached) return
      reached = place
      told(phase)
    },
  }
}
