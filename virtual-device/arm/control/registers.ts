/** General-purpose registers, of which programs read the inputs and write the outputs. */
export class Registers {
  readonly bits = new Map<number, boolean>()
  readonly integers = new Map<number, number>()
  readonly doubles = new Map<number, number>()
}

/** Highest number of each kind, plus one. */
export const registerCounts = { bits: 128, integers: 48, doubles: 48 } as const
