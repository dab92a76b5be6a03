import type { Client } from '../client/client'
import type { CallOptions } from '../client/options'
import type { SysInfo } from '../contract'

/** The state of a device, and when it started: a span of seconds on the steady clock of this program. */
export interface Seen {
  system: SysInfo
  earliest: number
  latest: number
}

/** Reads the state of a device and dates its start by its uptime. */
export async function startOf(client: Pick<Client, 'getSystem'>, options: CallOptions): Promise<Seen> {
  const asked = performance.now() / 1000
  const system = await client.getSystem(options)
  const answered = performance.now() / 1000
  return { system, earliest: asked - system.uptime, latest: answered - system.uptime }
}

/** Seconds by which a start may seem later than it was, because the uptime is rounded. */
const rounding = { wholeSeconds: 1, fractions: 0.02 }
/** Seconds in each second by which two clocks may drift apart. */
const drift = 2e-4

/** Whether the uptime proves that the device has started again in between. */
export function hasRestarted(before: Seen, now: Seen): boolean {
  const passed = now.latest + now.system.uptime - before.latest - before.system.uptime
  const isWhole = [before, now].every(({ system }) => Number.isInteger(system.uptime))
  const slack = isWhole ? rounding.wholeSeconds : rounding.fractions
  return now.earliest - before.latest > slack + drift * passed
}
