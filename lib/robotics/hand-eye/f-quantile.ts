/**
 * The value that a ratio of two mean squares with these degrees of freedom (not necessarily whole) exceeds with a
 * probability of only `1 - share`.
 */
export function fQuantile(share: number, above: number, below: number): number {
  // F = x / (1 - x) · below / above, where x follows the beta distribution.
  let [low, high] = [0, 1]
  for (let halving = 0; halving < 60; halving += 1) {
    const middle = (low + high) / 2
    if (betaShare(middle, above / 2, below / 2) < share) low = middle
    else high = middle
  }
  return ((low / (1 - low)) * below) / above
}

/** Share of the beta distribution below x: the regularised incomplete beta function. */
export function betaShare(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1
  // The continued fraction converges fast only on this side of the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaShare(1 - x, b, a)
  const factor = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x))
  return (factor / a) * continuedFraction(x, a, b)
}

/** Lentz's method. */
function continuedFraction(x: number, a: number, b: number): number {
  let [above, below, fraction] = [1, 0, 1]
  for (let term = 0; term < 400; term += 1) {
    const half = Math.floor(term / 2)
    const numerator =
      term === 0
        ? 1
        : term % 2 === 0
          ? (half * (b - half) * x) / ((a + term - 1) * (a + term))
          : (-(a + half) * (a + b + half) * x) / ((a + term - 1) * (a + term))
    below = 1 / notZero(1 + numerator * below)
    above = notZero(1 + numerator / above)
    fraction *= above * below
    if (Math.abs(above * below - 1) < 1e-12) break
  }
  return fraction - 1
}

const notZero = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value)

/** Stirling's series, after the recurrence has moved the argument to where the series is exact to twelve digits. */
function logGamma(x: number): number {
  if (x < 8) return logGamma(x + 1) - Math.log(x)
  const square = 1 / (x * x)
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / x
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series
}
