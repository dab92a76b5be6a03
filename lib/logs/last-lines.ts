import type { Log } from '../contract'
import { isVisionError } from '../client/vision-error'
import type { LogSource } from './source'

/** Where the answer does not tell, ask for so many times as much. */
const growth = 4

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

export const mostOf = ({ most, readable = most }: Reading): number => Math.min(most, readable)

/**
 * Whether the answer to so many lines is the whole log. To be shorter than that does not suffice: where a device counts
 * lines of text, an entry of many lines may not have fitted. It would have to be half as long as the longest answer.
 */
export function isWhole({ log, size = 0 }: Log, limit: number, reading: Reading): boolean {
  if (log.length === 0 && size === 0) return true
  const lines = log.reduce((sum, { message }) => sum + message.split('\n').length, 0)
  return limit >= mostOf(reading) && 2 * lines <= limit
}

/** How many lines to ask for where that answer does not tell: all of a log that seems to be short. */
export const nextLimit = ({ log }: Log, limit: number, reading: Reading): number =>
  Math.min(mostOf(reading), log.length < limit ? Infinity : limit * growth)

/** The newest entries of a log, so many at least if it has them, and whether they are the whole log. */
export async function lastEntries(reading: Reading, least: number): Promise<{ log: Log; whole: boolean }> {
  for (let limit = Math.min(mostOf(reading), least); ;) {
    const log = await lastLines(reading, limit)
    limit = Math.min(limit, mostOf(reading))
    const whole = isWhole(log, limit, reading)
    if (whole || log.log.length >= limit || limit >= mostOf(reading)) return { log, whole }
    limit = nextLimit(log, limit, reading)
  }
}
