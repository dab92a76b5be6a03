/** One measured figure. */
export interface BenchRow {
  what: string
  value: number
  unit: string
  /** The alternative, measured in the same run. */
  against?: string
  /** This figure divided by the alternative's: the median of the ratios of all rounds. */
  ratio?: number
}

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5)

/** The value below which the given share of the numbers lies. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
