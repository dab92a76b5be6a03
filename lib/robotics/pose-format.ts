import type { Axis } from './euler'

export const lengthUnits = ['mm', 'm'] as const
/** Unit of a robot's positions. */
export type LengthUnit = (typeof lengthUnits)[number]

/** One of the numbers that a controller shows or sends for a pose. */
export interface PoseNumber {
  name: string
  /** `length` is millimetres or metres, as the format or the caller says; 1 is a number without a unit. */
  unit: 'length' | 'deg' | 'rad' | '1'
  /** The range that the maker uses: written numbers stay inside, numbers read outside are suspicious. */
  range?: readonly [number, number]
}

export type Rotation =
  | { kind: 'quaternion'; order: readonly ['w' | 'x', 'x' | 'y', 'y' | 'z', 'z' | 'w'] }
  /** Product of rotations, read left to right, each about an axis by the number of that name, in its unit. */
  | { kind: 'euler'; turns: readonly [Turn, Turn, Turn] }
  /** Axis times angle, in the unit of its numbers. */
  | { kind: 'rotation-vector' }
  /** Four by four numbers, column by column. */
  | { kind: 'matrix' }
export type Turn = readonly [Axis, string]

/** How a robot maker writes a pose. */
export interface PoseFormat {
  id: string
  maker: string
  /** Distinguishes several formats of one maker. */
  variant?: 'angles' | 'matrix' | 'pendant' | 'script'
  /** Unit of positions, unless the caller specifies another. */
  length: LengthUnit
  numbers: readonly PoseNumber[]
  rotation: Rotation
}
