import type { DeviceState, DeviceStates } from '../../../nodes/device-config/admin/states'
import { request } from '../../request'
import { sharedText } from '../../shared-text'
import type { Branch, Entry, Tone } from '../tree/entry'
import { deviceBranch, lastAnswer } from './device'

/** Seconds. This Node-RED alone is asked, which looks after its devices anyway. */
const every = 2

/** Every device of the editor, with its health as this Node-RED knows it. */
export const devices = (): Branch => ({
  every,
  load: async () => {
    const nodes = configured()
    if (!nodes.length) return []
    const states = await statesOrProblem()
    const known = states instanceof Error ? {} : states
    const told: Entry[] = nodes.map((node) => device(node, known[node.id]))
    if (states instanceof Error)
      told.unshift({
        key: '!',
        label: states.message,
        icon: 'exclamation-triangle',
        tone: 'bad',
        isText: true,
      })
    return told
  },
})

/** The devices of the editor, by name. */
export function configured(): EditorNode[] {
  const found: EditorNode[] = []
  RED.nodes.eachConfig((node) => {
    if (node.type === 'vision-device-config') found.push(node)
    return true
  })
  return found.sort((one, other) => nameOf(one).localeCompare(nameOf(other), RED.i18n.lang()))
}

const statesOrProblem = () =>
  request('GET', 'vision-devices/states').catch((problem: unknown) => problem as Error) as Promise<
    DeviceStates | Error
  >

function device(node: EditorNode, running: DeviceState | undefined): Entry {
  const { word, tone, reason } = health(node, running)
  return {
    key: node.id,
    label: nameOf(node),
    value: word,
    icon: 'circle',
    tone,
    ...(reason && { description: reason }),
    branch: deviceBranch(node),
    act: {
      name: sharedText('sidebar.settings'),
      run: () => RED.editor.editConfig('', node.type, node.id),
    },
  }
}

const nameOf = (node: EditorNode) => RED.utils.getNodeLabel(node as never, node.id)

interface Health {
  word: string
  tone: Tone
  reason?: string
}

/** Nobody looks after a device that is not deployed or not used; it is known only while it is open here. */
function health(node: EditorNode, running?: DeviceState): Health {
  const tone = lastAnswer(node) ?? 'quiet'
  if (node['d']) return { word: sharedText('sidebar.disabled'), tone: 'quiet' }
  if (!running || node['changed']) return { word: sharedText('sidebar.notDeployed'), tone }
  const { state, reason } = running
  if (state === 'unwatched') return { word: sharedText('sidebar.unwatched'), tone }
  return { word: sharedText(`status.${state}`), tone: tones[state] ?? 'bad', reason }
}

const tones: Partial<Record<DeviceState['state'], Tone>> = {
  ready: 'good',
  connecting: 'soon',
  starting: 'soon',
}
