export interface PaceOptions {
  /** Shortest pause between two looks, milliseconds: while entries come. @default 500 */
  shortest?: number
  /** Longest pause: while none come, or the device does not answer. @default 5000 */
  longest?: number
  /** Source of the jitter, 0 up to 1. @default Math.random */
  random?: () => number
}

/** How a look went: it brought entries, none, or failed; or the device has more to say than it was asked for. */
export type ReadOutcome = 'behind' | 'entries' | 'none' | 'failed'

const slower = 1.5

/**
 * The pause until the next look, milliseconds: at once while there is more to fetch, short after entries, longer and
 * longer while none come; after failures at random, so that many followers do not come back in one moment.
 * @param atLeast milliseconds that the device asked to be left alone
 */
export function pacer({ shortest = 500, longest = 5000, random = Math.random }: PaceOptions) {
  let pause = shortest
  return (went: ReadOutcome, atLeast = 0): number => {
    if (went === 'behind') return 0
    pause = went === 'entries' ? shortest : Math.min(Math.max(longest, shortest), pause * slower)
    return went === 'failed' ? Math.max(atLeast, pause * (0.5 + random() / 2)) : pause
  }
}
