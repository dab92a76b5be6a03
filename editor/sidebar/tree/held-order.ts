/**
 * The order of lines while the user must not lose the one about to be clicked: visible lines keep their order, and a
 * new one follows its predecessor.
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
