import type { Node, NodeAPI } from 'node-red'
import type { Device } from './device'
import { deviceOf } from './device-of'
import type { FixedNames } from './fixed-names'
import { missingNames } from './missing-names'
import { statusLineOf, type StatusLine } from '../shared/status-line'
import type { LinkState } from '../shared/status-word'

/** The place of a node on its device. */
interface DeviceBinding {
  /** Missing where the config node is, or is disabled; the node's status says so. */
  device: Device | undefined
  /** Shows the state of the connection where nothing else is to be shown. */
  status: StatusLine
  leave: () => void
}

/** Characters of names in a status. */
const longest = 40

/**
 * @param names that the node always uses: they are compared with the device's own
 * @param told of the state of the connection now and at every change
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
