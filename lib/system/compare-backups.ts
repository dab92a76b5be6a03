/** A difference between two backups. */
export interface Difference {
  /** With the ids of records: `load_carriers[bin_1].outer_dimensions.x`. */
  path: string
  change: 'changed' | 'added' | 'removed'
  /** Missing if it was added. */
  before?: unknown
  /** Missing if it was removed. */
  after?: unknown
}

/** The differences between two backups, in the order of the first one. Records are matched by id. */
export const compareBackups = (before: unknown, after: unknown): Difference[] => compared('', before, after)

function compared(path: string, before: unknown, after: unknown): Difference[] {
  const [old, now] = [partsOf(before), partsOf(after)]
  if (!old || !now || old.isList !== now.isList)
    return same(before, after) ? [] : [{ path, change: 'changed', before, after }]

  const differences: Difference[] = []
  for (const [key, value] of old.parts) {
    const place = below(path, key, old.isList)
    if (now.parts.has(key)) differences.push(...compared(place, value, now.parts.get(key)))
    else differences.push({ path: place, change: 'removed', before: value })
  }
  for (const [key, value] of now.parts)
    if (!old.parts.has(key))
      differences.push({ path: below(path, key, now.isList), change: 'added', after: value })
  return differences
}

const below = (path: string, key: string, isList: boolean) =>
  isList ? `${path}[${key}]` : path ? `${path}.${key}` : key

/** Parts of an object by name, of a list of records by id, of another list by index. */
function partsOf(value: unknown): { isList: boolean; parts: Map<string, unknown> } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value)) return { isList: false, parts: new Map(Object.entries(value)) }
  const list: unknown[] = value
  const ids = list.map(idOf)
  const keys = ids.every((id) => id !== undefined) && new Set(ids).size === ids.length ? ids : undefined
  return { isList: true, parts: new Map(list.map((each, index) => [keys?.[index] ?? String(index), each])) }
}

const idOf = (record: unknown) =>
  typeof record === 'object' && record !== null && 'id' in record && typeof record.id === 'string'
    ? record.id
    : undefined

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** As lines: `pipelines.0.nodes.dev_camera.parameters.fps: 25 → 10`. */
export const differencesAsText = (differences: readonly Difference[]): string =>
  differences.map((each) => `${each.path}: ${shown(each, 'before')} → ${shown(each, 'after')}`).join('\n')

const shown = (difference: Difference, side: 'before' | 'after') =>
  side in difference ? JSON.stringify(difference[side]) : '–'
