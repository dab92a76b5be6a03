import type { RememberedEntries } from './memory'
import type { SeenEntry } from './seen'

/** A position as it was kept. */
export interface SavedPosition {
  kept: RememberedEntries
  /** Milliseconds since following was ended in good order; absent where it was not. */
  restedFor?: number
}

/** There is a position, and it cannot be read. */
export type DamagedPosition = 'damaged'

/**
 * Where positions in the logs of one device are kept. Entries are announced, then leave one part after the other, and
 * the position moves: so whoever finds it after a death knows which entries may have left without that being noted.
 */
export interface Positions {
  /** Where, for people. */
  folder: string
  /** Undefined where none is kept. */
  load: (log: string) => Promise<SavedPosition | DamagedPosition | undefined>
  /** Replaces what is kept of a log. Resolves when it would survive a power failure. */
  replace: (log: string, kept: RememberedEntries) => Promise<void>
  /**
   * These, the next behind the position `kept`, are about to be handed on. Resolves when that would survive a power
   * failure.
   */
  announce: (log: string, kept: RememberedEntries, entries: readonly SeenEntry[]) => Promise<void>
  /** Of those announced, so many have been handed on; the next ones, up to number `leaving`, leave now. */
  leaving: (log: string, left: number, leaving: number) => void
  /** The position is behind so many of those announced, and behind these; the other ones have not left. */
  moved: (log: string, left: number, others: readonly SeenEntry[]) => void
  /** A look is over at this position. Resolves when nothing that left would leave again after a power failure. */
  end: (log: string, kept: RememberedEntries) => Promise<void>
  /** Following ends here, in good order: up to now the log has been looked at without interruption. */
  rest: (log: string) => void
  close: () => Promise<void>
}
