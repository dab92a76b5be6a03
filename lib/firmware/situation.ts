import type { JournalEntry } from './journal'
import { hasRestarted } from '../system/reboot'
import type { DeviceLook } from './look'

/**
 * The situation of a device in a run.
 * - `untouched`: the image is not there.
 * - `written`: the image is there, and the device has not restarted since.
 * - `new`: the image runs.
 * - `old`: the device has restarted and still runs the old version: it fell back.
 * - `foreign`: none of these; somebody else has changed it.
 */
export type Situation = 'untouched' | 'written' | 'new' | 'old' | 'foreign'

type Known = Pick<
  JournalEntry,
  'from' | 'to' | 'inactiveBefore' | 'arrived' | 'pendingSeen' | 'mark' | 'bootSeen'
>

/** The version that the run is about, even if only the device shows it. */
export function targetOf({ to, from, inactiveBefore }: Known, look: DeviceLook): string | undefined {
  if (to !== undefined) return to
  if (look.active !== from) return look.active
  return look.pending || look.inactive !== inactiveBefore ? look.inactive : undefined
}

export function situationOf(entry: Known, look: DeviceLook): Situation {
  const { from, inactiveBefore, arrived } = entry
  const { active, inactive, pending, fallback } = look
  const to = targetOf(entry, look)
  if (to === undefined) return 'untouched'
  if (pending) return active === from && inactive === to ? 'written' : 'foreign'
  // A start clears the mark, even if the uptime proves nothing because nobody looked for a long time.
  const booted = entry.pendingSeen || hasBooted(entry, look)

  if (to !== from && active === to) return 'new'
  if (active !== from) return 'foreign'
  if (inactive !== to) return inactive === inactiveBefore && !arrived ? 'untouched' : 'foreign'
  // The same version name was there before: only its arrival distinguishes the two.
  if (inactiveBefore === to && !arrived) return 'untouched'
  if (!booted) return 'written'
  return to === from && !fallback ? 'new' : 'old'
}

/** Whether the device has restarted since the last action that may have led to a restart. */
export const hasBooted = (
  { mark, bootSeen }: Pick<JournalEntry, 'mark' | 'bootSeen'>,
  look: Pick<DeviceLook, 'mark'>,
): boolean => bootSeen === true || (mark !== undefined && hasRestarted(mark, look.mark))

/** What this look shows, and a later one may no longer show; undefined if the entry already has all of it. */
export function sightings(entry: JournalEntry, look: DeviceLook): Partial<JournalEntry> | undefined {
  const pendingSeen = look.pending && !entry.pendingSeen
  const bootSeen = !entry.bootSeen && hasBooted(entry, look)
  if (!pendingSeen && !bootSeen) return undefined
  return { ...(pendingSeen && { pendingSeen }), ...(bootSeen && { bootSeen }) }
}
