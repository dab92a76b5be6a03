import type { Kept } from './memory'
import type { Seen } from './seen'

/** A position as it was kept. */
export interface Saved {
  kept: Kept
  /** The program ended between handing on entries and noting that: the next ones may have been handed on already. */
  isUncertain: boolean
  /** Milliseconds since following was ended in good order; absent where it was not. */
  restedFor?: number
}

/** There is a position, and it cannot be read. */
export type Damaged = 'damaged'

/** Where positions in the logs of one device are kept. A position is noted after the entries have been handed on. */
export interface Positions {
  /** Where, for people. */
  folder: string
  /** Undefined where none is kept. */
  load: (log: string) => Promise<Saved | Damaged | undefined>
  /** Replaces what is kept of a log. Resolves when it would survive a power failure. */
  replace: (log: string, kept: Kept) => Promise<void>
  /** Entries are about to be handed on. */
  begin: (log: string) => void
  /** These have been handed on. Survives the end of this program from now on. */
  add: (log: string, entries: readonly Seen[]) => void
  /** All have. Resolves when what was noted would survive a power failure. */
  end: (log: string) => Promise<void>
  /** Following ends here, in good order: up to now the log has been looked at without interruption. */
  rest: (log: string) => void
  close: () => Promise<void>
}
