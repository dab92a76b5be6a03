import type { HandshakeState, HandshakeStates } from '../../../nodes/plc/handshake-states'
import { numberText, phaseText, timeText } from '../../plc/phase-text'
import { request } from '../../request'
import { sharedText } from '../../shared-text'
import { configured, nameOf } from '../configured'
import { matches, wordsOf } from '../search/match'
import type { LineTone, TreeEntry } from '../tree/entry'
import { handshakeBranch } from './handshake'
import { told } from './told'

/**
 * The PLC handshakes in the editor with their state as this Node-RED knows it, by name; with a search those whose name
 * matches. Nothing is asked where there are none.
 */
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
    about: told('kind'),
    value: shown ? valueOf(shown) : sharedText(isDisabled ? 'sidebar.disabled' : 'sidebar.notDeployed'),
    icon: 'retweet',
    tone: shown ? toneOf(shown) : 'quiet',
    isLine: true,
    description: [name, shown?.trouble].filter(Boolean).join('\n'),
    ...(shown?.trouble !== undefined && { problem: shown.trouble }),
    branch: handshakeBranch(node),
    act: { name: told('settings'), run: () => RED.editor.editConfig('', node.type, node.id) },
  }
}

/** As the status below its trigger node: `ready · 1 204 · 43 ms · 2 missed`. */
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
