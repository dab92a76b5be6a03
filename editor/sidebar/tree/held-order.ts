/**
 * The order of lines while nobody may lose the one he is about to click: those that are shown keep theirs, and a new one
 * comes behind the line that it follows.
 */
export function heldOrder(shown: readonly string[], wanted: readonly string[]): string[] {
  const remaining = new Set(wanted)
  const order = shown.filter((key) => remaining.delete(key))
  for (const [at, key] of wanted.entries()) {
    if (!remaining.has(key)) continue
    const before = wanted[at - 1]
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key)
  }
  return order
}
