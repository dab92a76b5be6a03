import type { NodeAPI } from 'node-red'
import type { LinkState } from '../../shared/status'
import { typedAddress } from '../../../lib/contract/reading/address'
import { environmentText } from '../../shared/read-fields'
import { deployedDevices, type DeviceConfigNode } from '../deployed-device'
import { refusalOf } from '../../shared/admin'

/** What this Node-RED knows about a device without asking it. */
export interface DeviceState {
  /** `unwatched`: no node uses it, so it is not monitored. */
  state: LinkState | 'unwatched'
  /** Why it is not ready; empty if it is, or if the reason is unknown. */
  reason: string
  /** Its address as it may be shown, with the values of environment variables. */
  address: string
}
export type DeviceStates = Record<string, DeviceState>

/** The states of all running devices, by the ids of their nodes. */
export function deviceStates(RED: NodeAPI, language?: string): DeviceStates {
  const states: DeviceStates = {}
  for (const [id, node] of deployedDevices(RED)) {
    const { device } = node
    const { isWatched, state, trouble } = device
    states[id] = {
      state: isWatched ? state : 'unwatched',
      reason: isWatched && trouble ? refusalOf(trouble, language).body.message : '',
      address: addressOf(RED, node),
    }
  }
  return states
}

/** As typed if it names a variable that does not exist. A login is left out after the variables are replaced. */
export function addressOf(RED: NodeAPI, node: DeviceConfigNode): string {
  const typed = node.fields.address.trim()
  let address = typed
  try {
    address = environmentText(RED, node, 'address', typed)
  } catch {
    // The reason says which variable is missing.
  }
  return typedAddress(address).shown
}
