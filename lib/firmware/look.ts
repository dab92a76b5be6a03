import type { Client } from '../client/client'
import type { CallOptions } from '../client/options'
import { hostClock, hostNow } from './host-clock'

/** When a device was asked, and how long it had been running. */
export interface UptimeMark {
  /** Seconds. */
  uptime: number
  /** When it was asked and when it had answered, ms of `hostNow`. */
  asked: number
  answered: number
  /** Which clock that was: the times of two clocks prove nothing. Journals of older versions do not tell. */
  clock?: string
}

/** A device at one time. */
export interface Look extends UptimeMark {
  serial: string
  ready: boolean
  active: string
  inactive: string
  fallback: boolean
  /** The next start boots the inactive image. */
  pending: boolean
}

export async function lookAt(client: Client, options?: CallOptions): Promise<Look> {
  const asked = hostNow()
  const { serial, ready, uptime, firmware } = await client.getSystem(options)
  return {
    serial,
    ready,
    uptime,
    asked,
    answered: hostNow(),
    clock: hostClock,
    active: firmware.active_image.image_version,
    inactive: firmware.inactive_image.image_version,
    fallback: firmware.fallback_booted,
    pending: firmware.next_boot_image === 'inactive_image',
  }
}

export const markOf = ({ uptime, asked, answered, clock }: Look): UptimeMark => ({
  uptime,
  asked,
  answered,
  ...(clock !== undefined && { clock }),
})

/**
 * Whether the device has booted since then, proven by its uptime: it runs for less time than has passed. A request that
 * fails proves nothing. Right also where long after the boot its uptime is longer than it was, as long as the same clock
 * told both times: one that was set would make an old look new.
 */
export function bootedSince(before: UptimeMark, now: UptimeMark): boolean {
  if (now.uptime < before.uptime) return true
  if (now.clock !== before.clock) return false
  const latestBoot = before.answered - 1000 * before.uptime
  const earliestBoot = now.asked - 1000 * now.uptime
  return earliestBoot - latestBoot > tolerance(before, now)
}

/** Milliseconds: two clocks differ by up to a thousandth, and an uptime in whole seconds by one. */
function tolerance(before: UptimeMark, now: UptimeMark): number {
  const whole = Number.isInteger(before.uptime) && Number.isInteger(now.uptime)
  return 250 + Math.abs(now.asked - before.answered) / 1000 + (whole ? 1000 : 0)
}
