import type { Log } from '../contract'
import { isVisionError } from '../client/vision-error'
import type { LogSource } from './source'

/** Factor by which the request grows if the answer was not sufficient. */
const growth = 4

export interface Reading {
  source: LogSource
  log: string
  /** Longest answer to request, in entries. */
  readonly most: number
  /** A lower limit, set once an answer was too long to be read. */
  readable?: number
  signal: AbortSignal
}

/** Reads the last lines of a log; fewer if the client does not accept an answer of that length. */
export async function lastLines(reading: Reading, limit: number): Promise<Log> {
  const { source, log, signal } = reading
  try {
    return await source.getLog({ log, limit }, { signal, waitForDevice: false })
  } catch (error) {
    if (!isVisionError(error) || error.key !== 'too-long-reply' || limit <= 1) throw error
    reading.readable = Math.ceil(limit / 2)
    return lastLines(reading, reading.readable)
  }
}

/** Whether an answer was too long to be read. */
export const isLimited = ({ readable }: Reading): boolean => readable !== undefined

export const mostOf = ({ most, readable = most }: Reading): number => Math.min(most, readable)

/**
 * Whether the answer to a request for this many lines is the whole log. A shorter answer is not sufficient proof: if a
 * device counts lines of text, an entry of many lines may not have fitted. It must be shorter than half of the longest
 * answer.
 */
export function isWhole({ log, size = 0 }: Log, limit: number, reading: Reading): boolean {
  if (log.length === 0 && size === 0) return true
  const lines = log.reduce((sum, { message }) => sum + message.split('\n').length, 0)
  return limit >= mostOf(reading) && 2 * lines <= limit
}

/** How many lines to request next if the answer was not sufficient: all of a log that seems to be short. */
export const nextLimit = ({ log }: Log, limit: number, reading: Reading): number =>
  Math.min(mostOf(reading), log.length < limit ? Infinity : limit * growth)

/** The newest entries of a log, at least this many if it has them, and whether they are the whole log. */
export async function lastEntries(reading: Reading, least: number): Promise<{ log: Log; whole: boolean }> {
  for (let limit = Math.min(mostOf(reading), least); ;) {
    const log = await lastLines(reading, limit)
    limit = Math.min(limit, mostOf(reading))
    const whole = isWhole(log, limit, reading)
    if (whole || log.log.length >= limit || limit >= mostOf(reading)) return { log, whole }
    limit = nextLimit(log, limit, reading)
  }
}
