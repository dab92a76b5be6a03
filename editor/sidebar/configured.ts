const types = ['vision-device-config', 'vision-plc-handshake', 'vision-robot-connection'] as const
type ConfigType = (typeof types)[number]

/** The devices, the PLC handshakes or the robot connections in the editor, by name. */
export function configured(type: ConfigType = 'vision-device-config'): EditorNode[] {
  const found: EditorNode[] = []
  RED.nodes.eachConfig((node) => {
    if (node.type === type) found.push(node)
    return true
  })
  return found.sort((one, other) => naturally(nameOf(one), nameOf(other)))
}

/** Whether there is a device, a PLC handshake or a robot connection; asked at each node of a flow that is imported. */
export function isAnyConfigured(): boolean {
  let isAny = false
  RED.nodes.eachConfig(({ type }) => {
    isAny ||= types.some((each) => each === type)
    return !isAny
  })
  return isAny
}

export const nameOf = (device: EditorNode): string => RED.utils.getNodeLabel(device as never, device.id)

/** Natural order of names: 2 before 10, ignoring case. */
const naturally = (one: string, other: string): number =>
  one.localeCompare(other, RED.i18n.lang(), { numeric: true })
