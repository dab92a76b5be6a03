/**
 * The device's own name of a node that another device names with a different prefix: `dev_camera` on a device whose
 * names all begin with `xy_` is `xy_camera`. Undefined if the device has no such node.
 */
export function ownName(asked: string, known: readonly string[]): string | undefined {
  if (known.includes(asked)) return asked
  const end = asked.indexOf('_')
  if (end < 0) return undefined
  const own = commonPrefix(known) + asked.slice(end + 1)
  return known.includes(own) ? own : undefined
}

/** The longest common beginning of all names that ends in `_`. */
export function commonPrefix(names: readonly string[]): string {
  const [first = '', ...others] = names
  let length = first.length
  for (const name of others) {
    length = Math.min(length, name.length)
    while (length > 0 && !name.startsWith(first.slice(0, length))) length--
  }
  return first.slice(0, first.slice(0, length).lastIndexOf('_') + 1)
}
