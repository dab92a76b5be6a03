import type { MessageProtocolId } from '../messages'

/** Protocols whose maps have names. */
export type NamedProtocol = Exclude<MessageProtocolId, 'modbus'>

/**
 * The variable that a name of the map means: list or data block first, then structures, the variable last.
 * @param side who writes it, for names that are keys of a message
 * @returns nothing where the name says nothing about the program, as a node id by number
 */
export function variablePath(name: string, protocol: NamedProtocol, side: 'toCell' | 'fromCell'): string[] {
  switch (protocol) {
    case 'opcua':
      return ofNodeId(name)
    case 'mqtt':
    case 'any':
      return [defaultList, side, ...partsOf(name)]
    case 'sparkplug':
      // The folders above a metric are not the program's.
      return [defaultList, side, ...partsOf(name.slice(name.lastIndexOf('/') + 1))]
    case 's7':
      return [name]
    default:
      return inList(partsOf(name))
  }
}

/** What contains variables whose names say nothing about it. */
export const defaultList = 'Cell'

/** `ns=3;s="Cell"."sequence"` of Siemens, `ns=4;s=|var|PLC.Application.GVL_Cell.sequence` of CODESYS, `ns=2;s=Cell.sequence`. */
function ofNodeId(name: string): string[] {
  const id = name.slice(name.indexOf(';') + 1)
  if (!id.startsWith('s=')) return []
  const ofController = '|var|'
  const isCodesys = id.startsWith(ofController, 2)
  const parts = partsOf(id.slice(isCodesys ? 2 + ofController.length : 2))
  // Device and application are above the lists of variables.
  return inList(isCodesys ? parts.slice(2) : parts)
}

/** A variable of the controller itself stands in a list too: the block has names of its own that it could be called by. */
const inList = (parts: string[]) => (parts.length === 1 ? [defaultList, ...parts] : parts)

/** Parts between dots that stand outside of quotes. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let part = ''
  let isQuoted = false
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === '.' && !isQuoted) {
      parts.push(part)
      part = ''
    } else part += letter
  }
  parts.push(part)
  return parts.filter(Boolean)
}
