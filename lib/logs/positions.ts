import type { RememberedEntries } from './memory'
import type { SeenEntry } from './seen'

/** A position as it was saved. */
export interface SavedPosition {
  kept: RememberedEntries
  /** Milliseconds since following ended in good order; absent if it did not. */
  restedFor?: number
}

/** There is a saved position, but it cannot be read. */
export type DamagedPosition = 'damaged'

/**
 * Storage for positions in the logs of one device. Entries are announced, then delivered part by part, and then the
 * position moves: after a crash, this shows which entries may have been delivered without a record.
 */
export interface Positions {
  /** Path of the folder, for messages. */
  folder: string
  /** Undefined if none is saved. */
  load: (log: string) => Promise<SavedPosition | DamagedPosition | undefined>
  /** Replaces the saved position of a log. Resolves when it would survive a power failure. */
  replace: (log: string, kept: RememberedEntries) => Promise<void>
  /**
   * Announces that these entries, the next after the position `kept`, are about to be delivered. Resolves when the
   * announcement would survive a power failure.
   */
  announce: (log: string, kept: RememberedEntries, entries: readonly SeenEntry[]) => Promise<void>
  /**
   * Of the announced entries, `left` have been delivered; the next ones, up to number `leaving`, are being delivered.
   */
  leaving: (log: string, left: number, leaving: number) => void
  /**
   * The position has moved past `left` of the announced entries, and past `others`; no other entries were delivered.
   */
  moved: (log: string, left: number, others: readonly SeenEntry[]) => void
  /**
   * A read has ended at this position. Resolves when no delivered entry would be delivered again after a power failure.
   */
  end: (log: string, kept: RememberedEntries) => Promise<void>
  /** Following ends here in good order: until now the log was read without interruption. */
  rest: (log: string) => void
  close: () => Promise<void>
}
