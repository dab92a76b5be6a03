import type { logs } from '../../lib'
import { sentence } from '../../lib/client/sentences'
import type { Properties } from '../shared/outcome'
import { spoken } from '../shared/node-error'

/** One entry, or a batch of entries of one log. */
export const entriesMessage = (lines: readonly logs.LogLine[], isBatch: boolean): Properties => ({
  topic: lines[0]?.log,
  payload: isBatch ? lines : lines[0],
  ...(lines.some(({ repeated }) => repeated) && { repeated: true }),
})

/** Says that something may be missing here, and in which time. */
export function gapMessage(gap: logs.LogGap): Properties {
  const { log, reason, after, before } = gap
  const times = {
    ...(after !== undefined && { after: iso(after) }),
    ...(before !== undefined && { before: iso(before) }),
  }
  const message = sentence(`log-gap-${reason}`, { log }, spoken())
  return { topic: log, gap: true, payload: { log, reason, ...times, message } }
}

export function heldBackMessage(held: logs.HeldBack): Properties {
  const { entries, levels, logs: byLog } = held
  const shown = Object.entries(levels)
    .map(([level, count]) => `${count} ${level}`)
    .join(', ')
  const message = sentence('log-held-back', { entries, levels: shown }, spoken())
  return { topic: Object.keys(byLog).join(', '), heldBack: entries, payload: { ...held, message } }
}

function iso(seconds: number): string {
  const date = new Date(1000 * seconds)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}
