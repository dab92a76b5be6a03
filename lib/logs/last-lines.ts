import type { Log } from '../contract'
import { isVisionError } from '../client/vision-error'
import { seen, type Seen } from './seen'
import type { LogSource } from './source'

/** Where the answer does not tell, ask for so many times as much. */
export const growth = 4

export interface Reading {
  source: LogSource
  log: string
  /** Longest answer to ask for, entries. */
  readonly most: number
  /** Less than that, once an answer was too long to be read. */
  readable?: number
  signal: AbortSignal
}

/** Reads the last lines of a log; fewer of them where the client takes no answer of that length. */
export async function lastLines(reading: Reading, limit: number): Promise<Log> {
  const { source, log, signal } = reading
  try {
    return await source.getLog({ log, limit }, { signal })
  } catch (error) {
    if (!isVisionError(error) || error.key !== 'too-long-reply' || limit <= 1) throw error
    reading.readable = Math.ceil(limit / 2)
    return lastLines(reading, reading.readable)
  }
}

export interface Answer {
  entries: readonly Seen[]
  /** So many were asked for. */
  limit: number
  /** There is nothing in the log. */
  isEmpty: boolean
}

/**
 * Whether an answer is the whole log. To be shorter than asked for does not suffice: where a device counts lines of
 * text, an entry of several lines may have been too long for what was left. A whole log begins as it did in an answer
 * for which less was asked, and that one stands nowhere else in it.
 */
export function isWhole({ entries, limit, isEmpty }: Answer, before: Answer | undefined): boolean {
  if (isEmpty) return true
  if (!before || before.limit >= limit || entries.length >= limit) return false
  const standsAt = (place: number) =>
    before.entries.every(({ mark }, index) => entries[place + index]?.mark === mark)
  const others = entries.slice(before.entries.length).map((_, index) => index + 1)
  return before.entries.length > 0 && standsAt(0) && !others.some(standsAt)
}

export const mostOf = ({ most, readable = most }: Reading) => Math.min(most, readable)

/** The newest entries of a log, so many at least if it has them, and whether they are the whole log. */
export async function lastEntries(reading: Reading, least: number): Promise<{ log: Log; whole: boolean }> {
  let before: Answer | undefined
  for (let limit = Math.min(mostOf(reading), least); ; limit = Math.min(mostOf(reading), limit * growth)) {
    const log = await lastLines(reading, limit)
    limit = Math.min(limit, mostOf(reading))
    const answer = answerOf(log, limit)
    const whole = isWhole(answer, before)
    if (whole || log.log.length >= Math.min(least, limit) || limit >= mostOf(reading)) return { log, whole }
    before = answer
  }
}

/** What is known of an answer. */
export const answerOf = ({ log, size = 0 }: Log, limit: number): Answer => ({
  entries: log.map(seen),
  limit,
  isEmpty: log.length === 0 && size === 0,
})
