const namespace = 'spBv1.0'

/** An edge node: the cell, in the group of its plant. */
export interface EdgeName {
  group: string
  edge: string
}

/** Topic of an edge node, or of one of its devices. */
export const sparkplugTopic = (
  { group, edge }: EdgeName,
  kind: 'NBIRTH' | 'NDEATH' | 'NDATA' | 'DBIRTH' | 'DDEATH' | 'DDATA',
  device?: string,
): string => [namespace, group, kind, edge, ...(device === undefined ? [] : [device])].join('/')

/** What arrives for an edge node; undefined for any other topic. */
export type SparkplugArrival = { kind: 'NCMD' } | { kind: 'DCMD'; device: string } | { kind: 'STATE' }

/** @param host the primary host, if there is one */
export function readSparkplugTopic(
  { group, edge }: EdgeName,
  host: string | undefined,
  topic: unknown,
): SparkplugArrival | undefined {
  if (typeof topic !== 'string' || topic.length > 500) return undefined
  if (host !== undefined && (topic === `${namespace}/STATE/${host}` || topic === `STATE/${host}`))
    return { kind: 'STATE' }
  const [space, plant, kind, cell, device, ...more] = topic.split('/')
  if (space !== namespace || plant !== group || cell !== edge || more.length > 0) return undefined
  if (kind === 'NCMD' && device === undefined) return { kind }
  return kind === 'DCMD' && device !== undefined ? { kind, device } : undefined
}

/** Whether a topic belongs to Sparkplug, whomever it is for. */
export const isSparkplugTopic = (topic: unknown): boolean =>
  typeof topic === 'string' && (topic.startsWith(`${namespace}/`) || topic.startsWith('STATE/'))

/** Whether a text can be the id of a host, a group or a device: one level of a topic. */
export const isSparkplugId = (text: string): boolean => /^[^/+#\0]{1,200}$/.test(text)

/** Names of devices as levels of topics: different ones stay different, also without regard to case. */
export function sparkplugIds(names: readonly string[]): Map<string, string> {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of names) {
    const plain = name.replaceAll(/[/+#\0]/g, '-') || '-'
    let id = plain
    for (let count = 2; taken.has(id.toLowerCase()); count++) id = `${plain}-${count}`
    taken.add(id.toLowerCase())
    ids.set(name, id)
  }
  return ids
}
