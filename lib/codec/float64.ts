/** Marks a number that travels as float64 even where its value is whole: `25.0` in JSON, type `D` in UBJSON. */
export class Float64 {
  constructor(readonly value: number) {}

  /** Keeps a plain `JSON.stringify`, in a log for example, readable. */
  toJSON(): number {
    return this.value
  }
}

export const asFloat = (value: number): Float64 => new Float64(value)
