import type { NodeStatus } from '../../lib/contract'

const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
/** A whole number with this many digits is a name, such as a serial number, and exceeds the exact numbers anyway. */
const tooLong = /^[+-]?\d{16,}$/

/** The values of a node with numeric texts converted to numbers. A node without values gives an empty object. */
export const asNumbers = (values: NodeStatus['values']): Record<string, number | string> =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [name, numberOr(text)]))

function numberOr(text: string): number | string {
  const given = text.trim()
  return decimal.test(given) && !tooLong.test(given) ? Number(given) : text
}
