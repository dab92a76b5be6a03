/** Sum of a term over a list; a plain loop, because the solver spends its time here. */
export function sumOf<T>(items: readonly T[], term: (item: T, index: number) => number): number {
  let sum = 0
  for (let index = 0; index < items.length; index += 1) sum += term(items[index] as T, index)
  return sum
}

export const dot = (one: readonly number[], other: readonly number[]): number =>
  sumOf(one, (part, index) => part * (other[index] ?? 0))

export const zeros = (count: number): number[] => new Array<number>(count).fill(0)

/** The scalar products of all pairs of columns of a list of rows. */
export function gramian(rows: readonly (readonly number[])[]): number[][] {
  const width = rows[0]?.length ?? 0
  const products = Array.from({ length: width }, () => zeros(width))
  for (const row of rows)
    for (let one = 0; one < width; one += 1) {
      const own = products[one] ?? []
      const factor = row[one] ?? 0
      for (let other = 0; other <= one; other += 1)
        own[other] = (own[other] ?? 0) + factor * (row[other] ?? 0)
    }
  for (let one = 0; one < width; one += 1)
    for (let other = 0; other < one; other += 1) (products[other] ?? [])[one] = products[one]?.[other] ?? 0
  return products
}
