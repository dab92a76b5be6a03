import type { DeviceState, DeviceStates } from '../../../nodes/device-config/admin/states'
import { sharedText } from '../../shared-text'
import type { LineTone } from '../tree/entry'
import { lastAnswer } from './device'

/** How a device is, as this Node-RED knows it. */
export interface Health {
  word: string
  tone: LineTone
  isReady: boolean
  /** Node-RED looks after it: it is deployed as it is here, and a node works with it. */
  isWatched: boolean
  /** Why it is not ready; empty where it is, or where that is not known. */
  reason: string
}

/** Nobody looks after a device that is not deployed or not used; it is known only while it is open here. */
export function healthOf(device: EditorNode, states: DeviceStates): Health {
  const running = states[device.id]
  const tone = lastAnswer(device) ?? 'quiet'
  const unwatched = { tone, isReady: false, isWatched: false, reason: '' }
  if (device['d']) return { ...unwatched, word: sharedText('sidebar.disabled'), tone: 'quiet' }
  if (!running || device['changed']) return { ...unwatched, word: sharedText('sidebar.notDeployed') }
  const { state, reason } = running
  if (state === 'unwatched') return { ...unwatched, word: sharedText('sidebar.unwatched') }
  const isReady = state === 'ready'
  return {
    word: sharedText(`status.${state}`),
    tone: tones[state] ?? 'bad',
    isReady,
    isWatched: true,
    reason: isReady ? '' : reason,
  }
}

const tones: Partial<Record<DeviceState['state'], LineTone>> = {
  ready: 'good',
  connecting: 'soon',
  starting: 'soon',
}

/** A lower one stands further up. */
const ranks: Record<LineTone, number> = { bad: 0, soon: 1, good: 2, quiet: 2 }

/** What needs somebody comes first. */
export const byUrgency = (one: Health, other: Health): number => ranks[one.tone] - ranks[other.tone]

/** "29 of 30 ready", and how many nobody looks after. */
export function summaryOf(all: readonly Health[]): string {
  const watched = all.filter(({ isWatched }) => isWatched)
  const ready = watched.filter(({ isReady }) => isReady).length
  const others = all.length - watched.length
  return [
    watched.length && sharedText('sidebar.readyOf', { ready, count: watched.length }),
    others && sharedText('sidebar.notWatched', { count: others }),
  ]
    .filter(Boolean)
    .join(', ')
}
