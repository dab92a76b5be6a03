import type { NodeAPI } from 'node-red'
import type { LinkState } from '../../shared/status-word'
import { deployedDevices } from '../deployed-device'
import { refusalOf } from '../../shared/admin/refusal-of'

/** What this Node-RED knows about a device without asking it. */
export interface DeviceState {
  /** `unwatched`: no node uses it, so it is not monitored. */
  state: LinkState | 'unwatched'
  /** Why it is not ready; empty if it is, or if the reason is unknown. */
  reason: string
}
export type DeviceStates = Record<string, DeviceState>

/** The states of all running devices, by the ids of their nodes. */
export function deviceStates(RED: NodeAPI, language?: string): DeviceStates {
  const states: DeviceStates = {}
  for (const [id, { device }] of deployedDevices(RED)) {
    const { isWatched, state, trouble } = device
    states[id] = {
      state: isWatched ? state : 'unwatched',
      reason: isWatched && trouble ? refusalOf(trouble, language).body.message : '',
    }
  }
  return states
}
