import type { DeviceStates } from '../../../nodes/device-config/admin/states'
import { request } from '../../request'
import { sharedText } from '../../shared-text'
import { handshakes } from '../plc/handshakes'
import { robotConnections } from '../robots/robot-connections'
import { found } from './found'
import type { TreeBranch, TreeEntry } from '../tree/entry'
import { configured, nameOf } from '../configured'
import { deviceBranch } from './device'
import { byUrgency, healthOf, summaryOf, type Health } from './health'

/** Seconds. Only this Node-RED is asked, which monitors its devices anyway. */
const every = 2

/** A summary of all devices, reported at each update. */
interface DevicesSummary {
  summary: string
  /** Why Node-RED does not report their states. */
  problem?: string
}

interface Options {
  /** The search text; empty shows every device. */
  query: () => string
  tell: (told: DevicesSummary) => void
}

/**
 * Every device in the editor with its health as this Node-RED knows it, problems first, and the PLC handshakes and robots behind them;
 * or the results of a search.
 */
export const devices = ({ query, tell }: Options): TreeBranch => ({
  every,
  load: async (again) => {
    const nodes = configured()
    const states = nodes.length ? await statesOrProblem() : {}
    const known = states instanceof Error ? {} : states
    const all = nodes.map((node) => ({ node, health: healthOf(node, known) }))
    tell({
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
