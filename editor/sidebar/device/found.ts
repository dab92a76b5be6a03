import { sharedText } from '../../shared-text'
import { nameOf } from '../configured'
import type { Health } from './health'
import { nodeEntry } from './nodes'
import { parameters } from './parameters'
import type { TreeEntry } from '../tree/entry'
import { inventory, type ListedNode } from './inventory'
import { matches, wordsOf } from '../search/match'

/** Most lines in the results of a search. */
const most = 60
/** Most nodes that are opened at once to show matching parameters. */
const opened = 6

interface KnownDevice {
  node: EditorNode
  health: Health
}

/**
 * The devices whose name or address matches, and the matching nodes and parameters. Only devices that are ready are
 * queried, each at most once a minute; `again` is called when an answer arrives later.
 */
export function found<Device extends KnownDevice>(
  query: string,
  devices: readonly Device[],
  entry: (device: Device) => TreeEntry,
  again: () => void,
): TreeEntry[] {
  const words = wordsOf(query)
  const direct = devices.filter((device) => isMeant(words, query, device)).map(entry)
  const ready = devices.filter(({ health }) => health.isReady)
  const inside = ready.map((device) => ({ device, nodes: inventory(device.node, again) }))
  const nodes = inside.flatMap(({ device, nodes = [] }) =>
    nodes.flatMap((listed) => hit(words, device, listed)),
  )
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

/** Matches its name, or any part of its address. */
const isMeant = (
  words: readonly string[],
  query: string,
  { node, health: { address } }: KnownDevice,
): boolean => matches(words, nameOf(node), [address]) || address.includes(query.toLowerCase())

/** A node whose name matches, with everything in it; or a node with its matching parameters. */
function hit(
  words: readonly string[],
  { node: device, health }: KnownDevice,
  { pipeline, info }: ListedNode,
): TreeEntry[] {
  const { name } = info
  const place = { device: device.id, pipeline, node: name }
  const lies = [nameOf(device), health.address]
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

/** Remarks on what the results do not show. */
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
