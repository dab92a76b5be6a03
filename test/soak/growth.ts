/**
 * The growth of a series from start to end, as a share: the median of the slopes between all pairs (Theil and Sen), so
 * that neither a single value nor the last ones decide.
 */
export function growthOf(values: readonly number[]): number {
  const slopes = values.flatMap((one, index) =>
    values.slice(index + 1).map((other, further) => (other - one) / (further + 1)),
  )
  return (median(slopes) * (values.length - 1)) / median(values)
}

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? NaN
