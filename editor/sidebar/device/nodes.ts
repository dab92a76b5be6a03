import type { NodeInfo } from '../../../lib/contract'
import { deviceApi } from '../../device-api'
import { sharedText } from '../../shared-text'
import type { TreeBranch, TreeEntry, LineTone } from '../tree/entry'
import type { DeviceNode } from './device-node'
import { parameters } from './parameters'
import { services } from './services'
import { statusValues } from './status-values'

/** Seconds. */
const every = 3

export const pipelineNodes = (device: string, pipeline: string): TreeBranch => ({
  every,
  load: async () =>
    (await deviceApi(device).read('listNodes', { pipeline }, { fresh: true })).map((info) =>
      nodeEntry({ device, pipeline, node: info.name }, info),
    ),
})

export const globalNodes = (device: string): TreeBranch => ({
  every,
  load: async () =>
    (await deviceApi(device).read('listGlobalNodes', {}, { fresh: true })).map((info) =>
      nodeEntry({ device, pipeline: '', node: info.name }, info),
    ),
})

/** The line of a node with its status and content. */
export function nodeEntry(place: DeviceNode, info: NodeInfo): TreeEntry {
  return {
    key: info.name,
    label: info.name,
    value: info.status,
    icon: 'cube',
    tone: tones[info.status] ?? 'bad',
    branch: { load: () => Promise.resolve(parts(place, info)) },
  }
}

const tones: Partial<Record<string, LineTone>> = {
  running: 'good',
  idle: 'quiet',
  unknown: 'soon',
  stale: 'soon',
}

function parts(place: DeviceNode, info: NodeInfo): TreeEntry[] {
  const found: TreeEntry[] = []
  const part = (key: string, label: string, count: number | undefined, icon: string, branch: TreeBranch) =>
    found.push({ key, label, icon, branch, ...(count !== undefined && { about: String(count) }) })
  if (info.parameters.length)
    part('parameters', sharedText('sidebar.parameters'), info.parameters.length, 'sliders', parameters(place))
  part('values', sharedText('sidebar.values'), undefined, 'tachometer', statusValues(place))
  if (info.services.length)
    part('services', sharedText('sidebar.services'), info.services.length, 'cog', services(place))
  return found
}
