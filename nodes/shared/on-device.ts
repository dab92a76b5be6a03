import type { Node, NodeAPI } from 'node-red'
import type { Device } from '../device-config/device'
import { deviceOf } from './device-of'
import { statusLineOf, type StatusLine } from './status-line'
import type { LinkState } from './status-word'

/** The place of a node on its device. */
interface Place {
  /** Missing where the config node is, or is disabled; the node's status says so. */
  device: Device | undefined
  /** Shows the state of the connection where nothing else is to be shown. */
  status: StatusLine
  leave: () => void
}

/** @param told of the state of the connection now and at every change */
export function onDevice(
  RED: NodeAPI,
  node: Node,
  id: string,
  told: (state: LinkState) => void = () => undefined,
): Place {
  const status = statusLineOf(RED, node)
  const device = deviceOf(RED, id)
  if (!device) status.link('noDevice')
  const leave = device?.join(node, (state) => {
    status.link(state)
    told(state)
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
