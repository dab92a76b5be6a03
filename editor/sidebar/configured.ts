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

/** Natural order of names: 2 before 10, ignoring case. */
const naturally = (one: string, other: string): number =>
  one.localeCompare(other, RED.i18n.lang(), { numeric: true })
