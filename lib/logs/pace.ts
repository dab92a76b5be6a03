export interface PaceOptions {
  /** Shortest pause between two reads, milliseconds: while there are new entries. @default 500 */
  shortest?: number
  /** Longest pause, milliseconds: while there are none, or the device does not answer. @default 5000 */
  longest?: number
  /** Source of the jitter, from 0 up to but not including 1. @default Math.random */
  random?: () => number
}

/** Outcome of a read: it brought entries, brought none or failed, or there is more to read than was requested. */
export type ReadOutcome = 'behind' | 'entries' | 'none' | 'failed'

const slower = 1.5

/**
 * The pause before the next read, milliseconds: none while there is more to fetch, short after entries, growing while
 * there are none; random after failures, so that many followers do not return at the same moment.
 * @param atLeast milliseconds that the device asked to wait
 */
export function pacer({ shortest = 500, longest = 5000, random = Math.random }: PaceOptions) {
  let pause = shortest
  return (went: ReadOutcome, atLeast = 0): number => {
    if (went === 'behind') return 0
    pause = went === 'entries' ? shortest : Math.min(Math.max(longest, shortest), pause * slower)
    return went === 'failed' ? Math.max(atLeast, pause * (0.5 + random() / 2)) : pause
  }
}
