import type { RowGroup } from './rows'

/** Memory that both sides can write. */
export type SharedArea = 'registers' | 'coils'

/** A word, or a coil, that the cell writes. */
export interface CellWord {
  area: SharedArea
  address: number
  /** 0 to 65535; 0 and 1 for a coil. */
  value: number
  /** Says when it is written: results before the state that makes them valid. */
  group: RowGroup
}
