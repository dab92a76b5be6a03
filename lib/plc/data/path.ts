/** Longest path, and most of its parts. */
const longest = 300
const deepest = 20

/**
 * The keys of a path such as `payload.grasps[0].pose["x y"]`, without a leading `msg.`.
 * @returns undefined where it is not a path
 */
export function keysOf(path: string): string[] | undefined {
  const text = path.trim().replace(/^msg\./, '')
  if (text === '' || text.length > longest) return undefined
  const keys: string[] = []
  const step =
    /(?:^|\.)([\p{L}_$][\p{L}\p{N}_$]*)|\[(\d{1,9})\]|\["([^"\]]{1,100})"\]|\['([^'\]]{1,100})'\]/uy
  while (step.lastIndex < text.length) {
    const [whole, name, index, quoted, single] = step.exec(text) ?? []
    const key = name ?? index ?? quoted ?? single
    if (whole === undefined || key === undefined || keys.length === deepest) return undefined
    keys.push(key)
  }
  return keys
}

/** What stands there; only what objects have of their own. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  let found = value
  for (const key of keys) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[key]
  }
  return found
}
