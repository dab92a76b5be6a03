import type { SysInfo } from '../../../lib/contract'
import { deviceApi } from '../../device-api'
import { sharedText } from '../../shared-text'
import type { TreeBranch, TreeEntry, LineTone } from '../tree/entry'
import { logs } from './logs'
import { missing } from './missing'
import { globalNodes, pipelineNodes } from './nodes'
import { picture } from './picture'
import { pipelinesOf } from './pipelines'
import { streams } from './streams'
import { systemFacts } from './system-facts'

/** Seconds between two checks of an open device. */
const every = 2

/** The content of a device, by its configuration node, which may not be deployed yet. */
export const deviceBranch = (device: EditorNode): TreeBranch => ({
  every,
  load: async (again) => {
    const { id } = device
    const system = await signOfLife(device)
    const pipelines = Object.entries(await pipelinesOf(id))
    return [
      ...systemFacts(system),
      missing(device, again),
      picture(
        device,
        pipelines.map(([name]) => name),
      ),
      ...pipelines.map(([name, { type, status }]): TreeEntry => ({
        key: `pipeline ${name}`,
        label: sharedText('sidebar.pipeline', { name }),
        about: [type, status].filter(Boolean).join(', '),
        icon: 'code-fork',
        branch: pipelineNodes(id, name),
      })),
      { key: 'global', label: sharedText('sidebar.globalNodes'), icon: 'globe', branch: globalNodes(id) },
      { key: 'streams', label: sharedText('sidebar.streams'), icon: 'rss', branch: streams(id) },
      { key: 'logs', label: sharedText('sidebar.logs'), icon: 'list', branch: logs(id) },
    ]
  },
})

/** Milliseconds after which an answer is no longer current. */
const goodFor = 10_000
const answers = new WeakMap<EditorNode, { tone: LineTone; at: number }>()
const note = (device: EditorNode, tone: LineTone) => answers.set(device, { tone, at: Date.now() })

/** How an open device answered most recently; undefined if it was not asked. */
export function lastAnswer(device: EditorNode): LineTone | undefined {
  const { tone, at = 0 } = answers.get(device) ?? {}
  return Date.now() - at < goodFor ? tone : undefined
}

async function signOfLife(device: EditorNode): Promise<SysInfo> {
  try {
    const system = await deviceApi(device.id).read('getSystem', {}, { fresh: true })
    note(device, system.ready ? 'good' : 'soon')
    return system
  } catch (problem) {
    note(device, 'bad')
    throw problem
  }
}
