import type { DeviceState, DeviceStates } from '../../../nodes/device-config/admin/states'
import { sharedText } from '../../shared-text'
import type { LineTone } from '../tree/entry'
import { addressOf } from './address'
import { lastAnswer } from './device'

/** The state of a device, as this Node-RED knows it. */
export interface Health {
  word: string
  /** Its address as it may be shown. */
  address: string
  tone: LineTone
  isReady: boolean
  /** Whether Node-RED monitors it: it is deployed with these settings, and a node uses it. */
  isWatched: boolean
  /** Why it is not ready; empty if it is, or if the reason is unknown. */
  reason: string
}

/** A device that is not deployed or not used is not monitored; its state is known only while it is open here. */
export function healthOf(device: EditorNode, states: DeviceStates): Health {
  const running = device['d'] || device['changed'] ? undefined : states[device.id]
  const address = addressOf(device, running)
  const tone = lastAnswer(device) ?? 'quiet'
  const unwatched = { address, tone, isReady: false, isWatched: false, reason: '' }
  if (device['d']) return { ...unwatched, word: sharedText('sidebar.disabled'), tone: 'quiet' }
  if (!running) return { ...unwatched, word: sharedText('sidebar.notDeployed') }
  const { state, reason } = running
  if (state === 'unwatched') return { ...unwatched, word: sharedText('sidebar.unwatched') }
  const isReady = state === 'ready'
  return {
    word: sharedText(`status.${state}`),
    address,
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

/** A lower rank is listed further up. */
const ranks: Record<LineTone, number> = { bad: 0, soon: 1, good: 2, quiet: 2 }

/** Devices that need attention come first. */
export const byUrgency = (one: Health, other: Health): number => ranks[one.tone] - ranks[other.tone]

/** "29 of 30 ready", and how many are not monitored. */
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
