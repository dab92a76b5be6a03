import type { ProgramField } from './fields'

/** Where the values of a map are in the PLC, and the lines that take them from there and put them there. */
export interface ProgramMemory {
  toCell: readonly ProgramField[]
  fromCell: readonly ProgramField[]
  /** Comments above the program. */
  notes: readonly string[]
  /** What is declared beside structures and block. */
  declarations: readonly string[]
  /** Whether the PLC knows that the exchange works; it has no means for that where others read and write its memory. */
  knowsLink: boolean
  /** Parameters of the block. */
  parameters: readonly string[]
  /** Variables of the block. */
  variables: readonly string[]
  read: readonly string[]
  write: readonly string[]
}
