/** Marks a number that is sent as float64 even if its value is whole: `25.0` in JSON, type `D` in UBJSON. */
export class Float64 {
  constructor(readonly value: number) {}

  /** Keeps the output of a plain `JSON.stringify`, in a log for example, readable. */
  toJSON(): number {
    return this.value
  }
}

export const asFloat = (value: number): Float64 => new Float64(value)
