import type { NodeInfo } from '../../lib/contract'
import type { DeviceStates } from '../../nodes/device-config/deployed-device'
import { deviceApi, request } from '../device-api'
import { inBackground, sharedText } from '../dialog'
import { configured, nameOf, matches, wordsOf } from './configured'
import { byUrgency, deviceBranch, type Health, healthOf, pipelinesOf, summaryOf } from './device'
import { nodeEntry, parameters } from './parameters'
import { handshakes, robotConnections } from './connections'
import type { TreeBranch, TreeEntry } from './row'

const most = 60
/** Nodes opened for their matching parameters. */
const opened = 6

interface KnownDevice {
  node: EditorNode
  health: Health
}

/** Only ready devices are queried, each at most once a minute; `again` is called for late answers. */
function found<Device extends KnownDevice>(
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

/** By name, or any part of the address. */
const isMeant = (
  words: readonly string[],
  query: string,
  { node, health: { address } }: KnownDevice,
): boolean => matches(words, nameOf(node), [address]) || address.includes(query.toLowerCase())

/** Everything in a matching node, or its matching parameters. */
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

/** `pipeline` is empty for a global node. */
interface ListedNode {
  pipeline: string
  info: NodeInfo
}

const atOnce = 4
let running = 0
const waiting: (() => void)[] = []

interface Inventory {
  nodes?: readonly ListedNode[]
  request: Promise<unknown>
  /** Not queried before this time, ms. */
  until: number
}

/** A search is typed letter by letter. */
const inventories = new WeakMap<EditorNode, Inventory>()
/** Milliseconds. */
const goodFor = { answer: 60_000, failure: 3000 }

/** As far as known; otherwise queries the device, and calls `again` when done. A failure counts as no change or no nodes. */
function inventory(device: EditorNode, again: () => void): readonly ListedNode[] | undefined {
  const last = inventories.get(device)
  if (last && Date.now() < last.until) {
    if (!last.nodes) inBackground(last.request.then(again))
    return last.nodes
  }
  const entry: Inventory = {
    until: Date.now() + goodFor.answer,
    request: inTurn(() => listed(device.id))
      .catch(() => {
        entry.until = Date.now() + goodFor.failure
        return last?.nodes ?? []
      })
      .then((nodes) => (entry.nodes = nodes)),
    ...(last?.nodes && { nodes: last.nodes }),
  }
  inventories.set(device, entry)
  inBackground(entry.request.then(again))
  return entry.nodes
}

async function listed(device: string): Promise<ListedNode[]> {
  const api = deviceApi(device)
  const names = Object.keys(await pipelinesOf(device))
  const inPipelines = names.map(async (pipeline) =>
    (await api.read('listNodes', { pipeline })).map((info) => ({ pipeline, info })),
  )
  const global = api.read('listGlobalNodes').then((all) => all.map((info) => ({ pipeline: '', info })))
  return (await Promise.all([...inPipelines, global])).flat()
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  while (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}

/** Seconds. Only this Node-RED is queried. */
const every = 2

interface DevicesSummary {
  summary: string
  /** Why Node-RED reports no states. */
  problem?: string
}

interface Options {
  /** Empty: every device. */
  query: () => string
  report: (summary: DevicesSummary) => void
}

/** Devices, problems first, then PLC handshakes and robots; or search results. */
export const devices = ({ query, report }: Options): TreeBranch => ({
  every,
  load: async (again) => {
    const nodes = configured()
    const states = nodes.length ? await statesOrProblem() : {}
    const known = states instanceof Error ? {} : states
    const all = nodes.map((node) => ({ node, health: healthOf(node, known) }))
    report({
      summary: states instanceof Error ? '' : summaryOf(all.map(({ health }) => health)),
      ...(states instanceof Error && { problem: states.message }),
    })
    const sorted = all.sort((one, other) => byUrgency(one.health, other.health))
    const others = [...(await handshakes(query())), ...(await robotConnections(query()))]
    if (query()) return [...others, ...found(query(), sorted, device, again)]
    return [...sorted.map(device), ...others]
  },
})

const statesOrProblem = () =>
  request('GET', 'vision-devices/states').catch((problem: unknown) => problem as Error) as Promise<
    DeviceStates | Error
  >

function device({ node, health }: { node: EditorNode; health: Health }): TreeEntry {
  const { word, address, tone, reason } = health
  const name = nameOf(node)
  return {
    key: node.id,
    label: name,
    ...(address !== name && { about: address }),
    value: word,
    icon: 'circle',
    tone,
    isLine: true,
    description: [name, address, reason].filter((each, at, lines) => lines.indexOf(each) === at).join('\n'),
    ...(reason && { problem: reason }),
    branch: deviceBranch(node),
    act: {
      name: sharedText('sidebar.settings'),
      run: () => RED.editor.editConfig('', node.type, node.id),
    },
  }
}
