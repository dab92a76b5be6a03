/** Seeded random numbers (mulberry32). */
export function randomOf(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    chance: (probability: number): boolean => next() < probability,
    /** Whole, from `low` to `high`. */
    between: (low: number, high: number): number => low + Math.floor(next() * (high - low + 1)),
    oneOf: <Value>(...values: readonly [Value, ...Value[]]): Value =>
      values[Math.floor(next() * values.length)] ?? values[0],
  }
}
export type Random = ReturnType<typeof randomOf>
