import { rows, type DefaultLine, type PlcType } from '../rows'
import type { MessageProtocol } from './protocol'

/** Bits stay bits of one word for each side: a bit of its own would need a write of its own. */
export const wordOfBits: MessageProtocol['preset'] = (line) =>
  line.type === 'bit'
    ? { name: rows[line.row].from === 'plc' ? 'control' : 'state', line: withoutAddress(line) }
    : { name: nameOf(line), line: withoutAddress(line) }

/** Each bit has a name of its own: for what is written as a whole. */
export const ownBits: MessageProtocol['preset'] = (given) => {
  const line = withoutAddress(given)
  delete line.bit
  return { name: nameOf(given), line }
}

/** The same with other types, where the protocol lacks one. */
export const withTypes =
  (preset: MessageProtocol['preset'], types: Partial<Record<PlcType, PlcType>>): MessageProtocol['preset'] =>
  (given) => {
    const { name, line } = preset(given)
    return { name, line: { ...line, type: types[line.type] ?? line.type } }
  }

export function withoutAddress(line: DefaultLine): Omit<DefaultLine, 'address'> {
  const { row, index, component, bit, type } = line
  return {
    row,
    ...(index !== undefined && { index }),
    ...(component !== undefined && { component }),
    ...(bit !== undefined && { bit }),
    type,
  }
}

/** `sequence`, `argument2`, `pose1_3`. */
const nameOf = ({ row, index, component }: DefaultLine): string =>
  `${row === 'sequenceEcho' ? 'echo' : row}${index ?? ''}${component === undefined ? '' : `_${component}`}`
