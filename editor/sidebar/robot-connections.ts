import type { RobotConnectionState, RobotStates } from '../../nodes/robots/deployed-robots'
import { request } from '../request'
import { sharedText } from '../dialog'
import { configured, nameOf } from './configured'
import { matches, wordsOf } from './search'
import type { TreeEntry } from './row'

/** Seconds. Only this Node-RED is asked. */
const every = 2

/**
 * The robot connections in the editor with what this Node-RED knows of them, by name; with a search those whose name
 * matches. Nothing is asked where there are none.
 */
export async function robotConnections(query: string): Promise<TreeEntry[]> {
  const nodes = configured('vision-robot-connection').filter(
    (node) => query === '' || matches(wordsOf(query), nameOf(node)),
  )
  if (nodes.length === 0) return []
  const states = await statesOrNone()
  return nodes.map((node) => connection(node, states[node.id]))
}

const statesOrNone = () =>
  request('GET', 'vision-devices/robots').catch(() => ({})) as Promise<Partial<RobotStates>>

function connection(node: EditorNode, state: RobotConnectionState | undefined): TreeEntry {
  const isDisabled = Boolean(node['d'])
  const shown = isDisabled || node['changed'] ? undefined : state
  const name = nameOf(node)
  return {
    key: `robots ${node.id}`,
    label: name,
    about: sharedText('sidebar.robots'),
    value: shown ? valueOf(shown) : sharedText(isDisabled ? 'sidebar.disabled' : 'sidebar.notDeployed'),
    icon: 'android',
    tone: shown?.port === undefined ? 'quiet' : shown.robots.length > 0 ? 'good' : 'soon',
    isLine: true,
    description: name,
    branch: { every, load: async () => robotsOf((await statesOrNone())[node.id]) },
    act: {
      name: sharedText('sidebar.robotSettings'),
      run: () => RED.editor.editConfig('', node.type, node.id),
    },
  }
}

const valueOf = ({ port, robots }: RobotConnectionState): string =>
  port === undefined
    ? sharedText('sidebar.robotsClosed')
    : [
        sharedText('sidebar.robotsPort', { port }),
        sharedText('sidebar.robotsCount', { count: robots.length }),
      ].join(' · ')

/** Each robot with its last request, and the counters. */
function robotsOf(state: RobotConnectionState | undefined): TreeEntry[] {
  if (!state) return []
  const { robots, counts } = state
  const dropped = counts.late + counts.second + counts.foreign
  return [
    ...robots.map(robot),
    { key: 'counts', label: sharedText('sidebar.robotsCounts', { ...counts, dropped }), isText: true },
  ]
}

function robot({ address, since, last }: RobotConnectionState['robots'][number]): TreeEntry {
  const isOpen = last && last.code === undefined
  return {
    key: `${address} ${String(since)}`,
    label: address,
    value: !last ? sharedText('sidebar.robotsSilent') : isOpen ? `${last.command} …` : answeredText(last),
    ...(last?.meaning && { description: `${new Date(last.at).toLocaleTimeString()} ${last.meaning}` }),
    icon: 'circle',
    tone: !last || isOpen ? 'soon' : last.code === 0 ? 'good' : 'bad',
    isLine: true,
  }
}

const answeredText = ({
  command,
  code = 0,
  milliseconds = 0,
}: NonNullable<RobotConnectionState['robots'][number]['last']>): string =>
  sharedText('sidebar.robotsAnswered', { command, code, milliseconds })
