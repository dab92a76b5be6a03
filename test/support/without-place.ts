export function withoutPlace(node: Record<string, unknown> = {}) {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !['id', 'x', 'y', 'z'].includes(key)))
}
