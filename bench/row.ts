export interface BenchRow {
  what: string
  value: number
  unit: string
  /** Measured in the same run. */
  against?: string
  /** This figure by the alternative's: median over all rounds. */
  ratio?: number
}

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5)

/** Value below which this share of the numbers lies. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
