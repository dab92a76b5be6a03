import type { PoseFormatName } from '../../robotics/pose-formats'
import type { PlcType, RowName } from '../rows'
import type { AngleUnit, LengthUnit, Unit } from './units'

/** Memory of a PLC that a line can stand in; the cell writes registers and coils alone. */
export type MapArea = 'registers' | 'coils' | 'inputRegisters' | 'discreteInputs'

/** A meaning, and where the PLC has it: at an address, or under a name where the protocol has names. */
export interface MapLine {
  row: RowName
  /** Argument or pose, from 1; for indexed rows. */
  index?: number
  /** Number of the pose, from 1. Without it the line holds all of them, one after the other. */
  component?: number
  /** Where a property is in the message: `payload.grasps[0].score`. */
  path?: string
  type: PlcType
  /** @default 'registers' */
  area?: MapArea
  /** From 0. */
  address?: number
  /** Variable, tag or node id. Bits of one name are written as one word. */
  name?: string
  /** 0 to 15, for a bit of a word. */
  bit?: number
  /** Characters of a STRING, or bytes; 2 in a register. */
  length?: number
  /** What the PLC counts in. @default the pose format's own for REAL; 0.1 mm and 0.01° in 16, 0.001 in 32 bit */
  unit?: Unit
  /** The PLC has so many times the value, after the unit. @default 1; 10000 for quaternions that are no REAL */
  scale?: number
  /** Of 32 bit in two registers, as the map's; of a text or bytes `BADC` has the first one in the low half. @default the map's */
  order?: WordOrder
}

/** In which order the bytes of 32 bit stand in two registers; `ABCD` has the highest byte first. */
export const wordOrders = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const
export type WordOrder = (typeof wordOrders)[number]

/** Which of two characters or bytes stands in the high half of a register. */
export const textOrders = ['first-high', 'first-low'] as const
export type TextOrder = (typeof textOrders)[number]

/** Everything that says how values stand in a PLC. */
export interface PlcMap {
  lines: readonly MapLine[]
  /** Whether the lines stand at addresses or under names. @default 'address' */
  by?: 'address' | 'name'
  /** @default 'ABCD' */
  order?: WordOrder
  /** @default 'first-high' */
  textOrder?: TextOrder
  /**
   * Most registers that no line has, between two of the cell's: so many are the cell's too, and written as 0, so that one
   * request is enough. @default 1
   */
  reserve?: number
  /** How poses are written. */
  pose?: {
    /** @default 'kuka' */
    format?: PoseFormatName
    /** For lines without a unit of their own. */
    length?: LengthUnit
    /** For lines without a unit of their own. */
    angle?: AngleUnit
  }
}
