import type { NodeAPI } from 'node-red'
import type { LinkState } from '../../shared/status-word'
import { deployedDevices } from '../deployed-device'
import { refusalOf } from '../../shared/admin/refusal-of'

/** What this Node-RED knows of a device without asking it. */
export interface DeviceState {
  /** `unwatched`: no node works with it, so nobody looks after it. */
  state: LinkState | 'unwatched'
  /** Why it is not ready; empty where it is, or where that is not known. */
  reason: string
}
export type DeviceStates = Record<string, DeviceState>

/** The states of all devices that run, by the ids of their nodes. */
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
