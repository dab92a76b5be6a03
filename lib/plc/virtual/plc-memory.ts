import type { MapArea } from '../data/map'
import type { CellWord } from '../words'

/** A register or coil as it was read; undefined for one that is not in the map. */
export type ValueAt = (area: MapArea, address: number) => number | undefined

/** The words that a PLC program works with, its own and those of the cell, wherever they are. */
export interface PlcMemory {
  /** Resolves when the program can begin. @throws PlcError where it cannot, such as a port that is taken */
  readonly opened: Promise<void>
  /** Whether a cell is connected. */
  readonly isUp: boolean
  /** The words of the map; results are never older than the state that makes them valid. @throws PlcError */
  read: () => Promise<ValueAt>
  /** Writes one word after the other. @throws PlcError */
  write: (words: readonly CellWord[]) => Promise<void>
  /** Resolves when nothing is left. */
  close: () => Promise<void>
}
