import { naturally } from '../natural-order'

type ConfigType = 'vision-device-config' | 'vision-plc-handshake' | 'vision-robot-connection'

/** The devices, the PLC handshakes or the robot connections in the editor, by name. */
export function configured(type: ConfigType = 'vision-device-config'): EditorNode[] {
  const found: EditorNode[] = []
  RED.nodes.eachConfig((node) => {
    if (node.type === type) found.push(node)
    return true
  })
  return found.sort((one, other) => naturally(nameOf(one), nameOf(other)))
}

export const nameOf = (device: EditorNode): string => RED.utils.getNodeLabel(device as never, device.id)
