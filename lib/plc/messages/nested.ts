import type { PlcValue } from '../data'
import type { Item } from './message'

type Leaf = PlcValue | number[]
type Branch = Map<string, Branch | Leaf>

/** The values as an object; a dot in a name is an object in it. */
export function nested(items: readonly Pick<Item, 'key' | 'value'>[]): object {
  const root: Branch = new Map()
  for (const { key, value } of items) {
    const names = key.split('.')
    const last = names.pop() ?? key
    let branch = root
    for (const name of names) {
      const next = branch.get(name)
      const inner: Branch = next instanceof Map ? next : new Map<string, Branch | Leaf>()
      branch.set(name, inner)
      branch = inner
    }
    branch.set(last, value instanceof Uint8Array ? [...value] : value)
  }
  return toObject(root)
}

const toObject = (branch: Branch): object =>
  Object.fromEntries(
    [...branch].map(([name, value]) => [name, value instanceof Map ? toObject(value) : value]),
  )
