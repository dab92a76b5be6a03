/** A request as it came, before its numbers mean anything. */
export type RawRequest =
  | { command: string; numbers: number[] }
  /** What came is no request, or never ended. */
  | { fault: 'unreadable' | 'too-long' | 'incomplete'; text: string }
  /** XML without this element, or attribute. */
  | { fault: 'missing'; text: string; missing: string }

/** Takes requests out of what arrives, in pieces of any size. */
export interface RequestReader {
  /** Keeps what has arrived. */
  push: (piece: string) => void
  /** The next request that is complete; undefined while none is. */
  next: () => RawRequest | undefined
  /** Nothing more has come for a while: what has come is complete, or never will be. */
  flush: () => RawRequest[]
  /** Whether something has come that is not complete yet. */
  readonly isWaiting: boolean
  /** Whether a request shows its own end, as XML does, or lines of a robot that has ended one before. */
  readonly hasEnds: boolean
}

/** Characters of a request; a longer one is refused before it ends. */
export const longestRequest = 4096
