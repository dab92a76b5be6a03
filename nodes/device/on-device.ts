import type { Node, NodeAPI } from 'node-red'
import type { Device } from './device'
import { deviceOf } from './device-of'
import type { FixedNames } from './fixed-names'
import { missingNames } from './missing-names'
import { type LinkState, type StatusLine, statusLineOf } from '../shared/status'

/** The binding of a node to its device. */
interface DeviceBinding {
  /** Missing if the config node is missing or disabled; the node's status then says so. */
  device: Device | undefined
  /** Shows the state of the connection when there is nothing else to show. */
  status: StatusLine
  leave: () => void
}

/** Longest names in a status, in characters. */
const longest = 40

/**
 * @param names that the node always uses; compared with those on the device
 * @param told called with the state of the connection, now and on every change
 */
export function onDevice(
  RED: NodeAPI,
  node: Node,
  { device: id }: { device: string },
  names: FixedNames | undefined,
  told: (state: LinkState) => void = () => undefined,
): DeviceBinding {
  const status = statusLineOf(RED, node)
  const device = deviceOf(RED, id)
  if (!device) status.link('noDevice')

  const compare = async () => {
    if (!names || !device) return
    const missing = await missingNames(device.connection.lists, names)
    const text = missing.join(', ')
    if (device.state === 'ready')
      status.missing(text ? (text.length > longest ? `${text.slice(0, longest)}…` : text) : undefined)
  }
  const leave = device?.join(node, (state) => {
    status.link(state)
    told(state)
    if (state === 'ready') void compare()
  })
  return {
    device,
    status,
    leave: () => {
      leave?.()
      status.close()
    },
  }
}
