import { naturally } from '../../natural-order'

/** The devices in the editor, by name. */
export function configured(): EditorNode[] {
  const found: EditorNode[] = []
  RED.nodes.eachConfig((node) => {
    if (node.type === 'vision-device-config') found.push(node)
    return true
  })
  return found.sort((one, other) => naturally(nameOf(one), nameOf(other)))
}

export const nameOf = (device: EditorNode): string => RED.utils.getNodeLabel(device as never, device.id)
