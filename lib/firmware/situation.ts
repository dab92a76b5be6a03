import type { Entry } from './journal'
import { hasRestarted } from '../system/uptime-mark'
import type { Look } from './look'

/**
 * Where a device stands in a run.
 * - `untouched`: the image is not there.
 * - `written`: the image is there, and the device has not started since.
 * - `new`: the image runs.
 * - `old`: the device has started and still runs the old version: it fell back.
 * - `foreign`: none of this; somebody else has changed it.
 */
export type Situation = 'untouched' | 'written' | 'new' | 'old' | 'foreign'

type Known = Pick<Entry, 'from' | 'to' | 'inactiveBefore' | 'arrived' | 'pendingSeen' | 'mark' | 'bootSeen'>

/** The version that the run is about, also where only the device tells it. */
export function targetOf({ to, from, inactiveBefore }: Known, look: Look): string | undefined {
  if (to !== undefined) return to
  if (look.active !== from) return look.active
  return look.pending || look.inactive !== inactiveBefore ? look.inactive : undefined
}

export function situationOf(entry: Known, look: Look): Situation {
  const { from, inactiveBefore, arrived } = entry
  const { active, inactive, pending, fallback } = look
  const to = targetOf(entry, look)
  if (to === undefined) return 'untouched'
  if (pending) return active === from && inactive === to ? 'written' : 'foreign'
  // A start takes the mark away, also where the uptime can tell nothing because nobody looked for long.
  const booted = entry.pendingSeen || hasBooted(entry, look)

  if (to !== from && active === to) return 'new'
  if (active !== from) return 'foreign'
  if (inactive !== to) return inactive === inactiveBefore && !arrived ? 'untouched' : 'foreign'
  // The same name was there before: only that it arrived tells the one from the other.
  if (inactiveBefore === to && !arrived) return 'untouched'
  if (!booted) return 'written'
  return to === from && !fallback ? 'new' : 'old'
}

/** Whether the device has restarted since the last deed that it may have restarted after. */
export const hasBooted = (
  { mark, bootSeen }: Pick<Entry, 'mark' | 'bootSeen'>,
  look: Pick<Look, 'mark'>,
): boolean => bootSeen === true || (mark !== undefined && hasRestarted(mark, look.mark))

/** What this look shows, and a later one may not show any more; undefined where the entry has all of it. */
export function sightings(entry: Entry, look: Look): Partial<Entry> | undefined {
  const pendingSeen = look.pending && !entry.pendingSeen
  const bootSeen = !entry.bootSeen && hasBooted(entry, look)
  if (!pendingSeen && !bootSeen) return undefined
  return { ...(pendingSeen && { pendingSeen }), ...(bootSeen && { bootSeen }) }
}
