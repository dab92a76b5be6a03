import { sharedText } from '../../shared-text'
import { addressOf } from './address'
import { nameOf } from './configured'
import type { Health } from './health'
import { nodeEntry } from './nodes'
import { parameters } from './parameters'
import type { TreeEntry } from '../tree/entry'
import { inventory, type ListedNode } from './inventory'
import { matches, wordsOf } from '../search/match'

/** Lines that a search shows at most. */
const most = 60
/** So many nodes are opened at once, to show the parameters that were found. */
const opened = 6

interface KnownDevice {
  node: EditorNode
  health: Health
}

/**
 * The devices whose name or address fits, and the nodes and parameters that do. Only devices that are ready are asked
 * what they have, and each of them once a minute; `again` is called where that takes longer.
 */
export function found<Device extends KnownDevice>(
  query: string,
  devices: readonly Device[],
  entry: (device: Device) => TreeEntry,
  again: () => void,
): TreeEntry[] {
  const words = wordsOf(query)
  const direct = devices.filter(({ node }) => isMeant(words, query, node)).map(entry)
  const ready = devices.filter(({ health }) => health.isReady)
  const inside = ready.map(({ node }) => ({ node, nodes: inventory(node, again) }))
  const nodes = inside.flatMap(({ node, nodes = [] }) => nodes.flatMap((listed) => hit(words, node, listed)))
  const all = [
    ...direct,
    ...nodes.map((each) => ({ ...each, isOpen: nodes.length <= opened && each.isOpen })),
  ]
  return [
    ...all.slice(0, most),
    ...remarks({
      more: all.length - most,
      asking: inside.filter(({ nodes: known }) => !known).length,
      skipped: devices.length - ready.length,
      isNothing: !all.length,
    }),
  ]
}

/** By its name, or by any part of its address. */
const isMeant = (words: readonly string[], query: string, device: EditorNode): boolean =>
  matches(words, nameOf(device), [addressOf(device)]) || addressOf(device).includes(query.toLowerCase())

/** A node whose name fits, with all it has; or one of whose parameters do, with these. */
function hit(words: readonly string[], device: EditorNode, { pipeline, info }: ListedNode): TreeEntry[] {
  const { name } = info
  const place = { device: device.id, pipeline, node: name }
  const lies = [nameOf(device), addressOf(device)]
  const whole = matches(words, name, lies)
  const names = info.parameters.filter((parameter) => matches(words, parameter, [...lies, name]))
  if (!whole && !names.length) return []
  const where = [nameOf(device), ...(pipeline ? [sharedText('sidebar.pipeline', { name: pipeline })] : [])]
  const found = {
    ...nodeEntry(place, info),
    key: `found ${device.id} ${pipeline} ${name}`,
    about: where.join(' › '),
  }
  return [whole ? found : { ...found, branch: parameters(place, names), isOpen: true }]
}

/** What the results do not say themselves. */
function remarks(counts: { more: number; asking: number; skipped: number; isNothing: boolean }): TreeEntry[] {
  const { more, asking, skipped, isNothing } = counts
  const remark = (key: string, label: string): TreeEntry => ({ key, label, tone: 'quiet', isText: true })
  return [
    ...(isNothing && !asking ? [remark('none', sharedText('sidebar.notFound'))] : []),
    ...(more > 0 ? [remark('more', sharedText('sidebar.moreFound', { count: more }))] : []),
    ...(asking ? [remark('asking', sharedText('sidebar.searching', { count: asking }))] : []),
    ...(skipped ? [remark('skipped', sharedText('sidebar.notSearched', { count: skipped }))] : []),
  ]
}
