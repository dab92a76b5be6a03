/** Random numbers from 0 up to but not including 1; identical for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * A value that drifts like a measured one: a smooth function of time around `mean`, within `spread`. Two readings at
 * the same moment are equal.
 */
export function drifting(random: () => number, mean: number, spread: number): (seconds: number) => number {
  const waves = [7, 31, 113].map((period) => ({ period, phase: random() * 2 * Math.PI }))
  return (seconds) =>
    mean +
    (spread / waves.length) *
      waves.reduce((sum, { period, phase }) => sum + Math.sin((2 * Math.PI * seconds) / period + phase), 0)
}
