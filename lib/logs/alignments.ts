/**
 * Possible positions of the newest known entry in what the device shows now. Each returned number is how many entries
 * of `shown` would then be known, largest first: either the last entries of `tail` are the first of `shown`, or `shown`
 * contains all of `tail`. Linear in both lengths (Z function of both, backwards).
 * @param tail marks of the last known entries, oldest first, none of them -1
 * @param shown marks of what the device shows, oldest first
 */
export function alignments(tail: readonly number[], shown: readonly number[]): number[] {
  const backwards = [...tail.toReversed(), -1, ...shown.toReversed()]
  const lengths = commonWithStart(backwards)
  const found: number[] = []
  for (let known = shown.length; known > 0; known--) {
    const at = tail.length + 1 + (shown.length - known)
    if (lengths[at] === Math.min(known, tail.length)) found.push(known)
  }
  return tail.length === 0 ? [] : found
}

/** For each index, how many items from there on equal those at the start. */
function commonWithStart(items: readonly number[]): Uint32Array {
  const lengths = new Uint32Array(items.length)
  let from = 0
  let to = 0
  for (let place = 1; place < items.length; place++) {
    let length = place < to ? Math.min(to - place, lengths[place - from] ?? 0) : 0
    while (place + length < items.length && items[length] === items[place + length]) length++
    lengths[place] = length
    if (place + length > to) {
      from = place
      to = place + length
    }
  }
  return lengths
}
