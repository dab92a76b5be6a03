/** No name comes close to this length; comparing longer texts would block the event loop. */
const longest = 100

/** Names that may have been meant, the closest first; at most three. */
export function nearNames(given: string, names: readonly string[]): string[] {
  if (given.length > longest) return []
  const wanted = given.toLowerCase()
  const furthest = Math.max(2, Math.floor(wanted.length / 3))
  return names
    .map((name) => ({ name, far: distance(wanted, name.toLowerCase()) }))
    .filter(({ name, far }) => far <= furthest || (wanted.length > 3 && name.toLowerCase().includes(wanted)))
    .sort((one, other) => one.far - other.far)
    .slice(0, 3)
    .map(({ name }) => name)
}

/** Number of letters to insert, delete or replace (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1]
    for (let at = 1; at <= to.length; at++)
      next.push(
        Math.min(
          (row[at] ?? 0) + 1,
          (next[at - 1] ?? 0) + 1,
          (row[at - 1] ?? 0) + (from[index] === to[at - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
