import type { DurationSummary } from '../../lib/plc/handshake/figures'
import type { HandshakeSnapshot, HandshakeState, HandshakeStates } from '../../nodes/plc/handshake-snapshot'
import { barsOf, factsOf, timesText } from '../plc/panel'
import { numberText, phaseText, timeText, type Translator } from '../texts'
import { request } from '../device-api'
import { sharedText } from '../dialog'
import { configured, nameOf, matches, wordsOf } from './configured'
import type { LineTone, TreeBranch, TreeEntry } from './row'
import type { RobotConnectionState, RobotStates } from '../../nodes/robots/deployed-robots'

/** With their states, by name; with a search, the matching ones. No request without handshakes. */
export async function handshakes(query: string): Promise<TreeEntry[]> {
  const nodes = configured('vision-plc-handshake').filter(
    (node) => query === '' || matches(wordsOf(query), nameOf(node)),
  )
  if (nodes.length === 0) return []
  const states = (await request('GET', 'vision-devices/plc').catch(
    (problem: unknown) => problem as Error,
  )) as HandshakeStates | Error
  return nodes.map((node) => entry(node, states instanceof Error ? undefined : states[node.id]))
}

function entry(node: EditorNode, state: HandshakeState | undefined): TreeEntry {
  const isDisabled = Boolean(node['d'])
  const shown = isDisabled || node['changed'] ? undefined : state
  const name = nameOf(node)
  return {
    key: `plc ${node.id}`,
    label: name,
    about: translate('kind'),
    value: shown ? valueOf(shown) : sharedText(isDisabled ? 'sidebar.disabled' : 'sidebar.notDeployed'),
    icon: 'retweet',
    tone: shown ? toneOf(shown) : 'quiet',
    isLine: true,
    description: [name, shown?.trouble].filter(Boolean).join('\n'),
    ...(shown?.trouble !== undefined && { problem: shown.trouble }),
    branch: handshakeBranch(node),
    act: { name: translate('settings'), run: () => RED.editor.editConfig('', node.type, node.id) },
  }
}

/** As in the trigger node's status: `ready · 1 204 · 43 ms · 2 missed`. */
function valueOf({ phase, link, counts, lastDuration }: HandshakeState): string {
  if (link === 'unused') return sharedText('sidebar.unwatched')
  const { accepted, missed } = counts
  return [
    phaseText({ phase }),
    accepted > 0 && numberText(accepted),
    lastDuration !== undefined && timeText(lastDuration),
    missed > 0 && sharedText('status.plcMissed', { count: missed }),
  ]
    .filter(Boolean)
    .join(' · ')
}

function toneOf({ phase, link, trouble }: HandshakeState): LineTone {
  if (link === 'unused') return 'quiet'
  if (trouble !== undefined || phase === 'error') return 'bad'
  return phase === 'unknown' || phase === 'not-ready' ? 'soon' : 'good'
}

const translate: Translator = (key, values) =>
  RED._(`@cellsight/node-red-vision/plc-handshake:plc-handshake.panel.${key}`, values)

/** Seconds. Only this Node-RED is queried, not the PLC. */
const every = 2

const handshakeBranch = ({ id }: EditorNode): TreeBranch => ({
  every,
  load: async () => {
    const snapshot = (await request(
      'GET',
      `vision-devices/plc/${encodeURIComponent(id)}`,
    )) as HandshakeSnapshot
    const { reactions, cycles } = snapshot
    return [
      ...factsOf(snapshot, translate).map(([key, label, value]): TreeEntry => ({
        key,
        label,
        value,
        tone: 'quiet',
      })),
      ...histogram('reaction', reactions),
      ...histogram('cycle', cycles),
    ]
  },
})

const histogram = (key: 'reaction' | 'cycle', summary: DurationSummary | undefined): TreeEntry[] =>
  summary === undefined
    ? []
    : [
        {
          key,
          label: translate(key),
          value: translate('short', { p50: timeText(summary.p50), p99: timeText(summary.p99) }),
          description: `${translate(`${key}s`)}\n${timesText(summary, translate)}`,
          tone: 'quiet',
          icon: 'bar-chart',
          isOpen: true,
          branch: {
            every,
            load: () =>
              Promise.resolve(
                barsOf(summary)
                  .filter(({ count }) => count > 0)
                  .map(bar),
              ),
          },
        },
      ]

const bar = ({ end, count, part }: ReturnType<typeof barsOf>[number]): TreeEntry => ({
  key: end,
  label: end === '…' ? translate('longer') : `≤ ${/\d$/.test(end) ? `${end} ms` : end}`,
  value: numberText(count),
  tone: 'quiet',
  part,
})

/** With their states, by name; with a search, the matching ones. No request without connections. */
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
    value: shown ? robotValueOf(shown) : sharedText(isDisabled ? 'sidebar.disabled' : 'sidebar.notDeployed'),
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

const robotValueOf = ({ port, robots }: RobotConnectionState): string =>
  port === undefined
    ? sharedText('sidebar.robotsClosed')
    : [
        sharedText('sidebar.robotsPort', { port }),
        sharedText('sidebar.robotsCount', { count: robots.length }),
      ].join(' · ')

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
