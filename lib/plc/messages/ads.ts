import { writingOrder, rows, type RowGroup } from '../rows'
import { isPlain, propertiesOf, valuesOf, type Item, type Reading } from './message'
import { nested } from './nested'
import { ownBits } from './preset-lines'
import type { MessageProtocol } from './protocol'

/** `node-red-contrib-ads-client`: names are symbols, or members of a structure, which is read and written whole. */
export const ads: MessageProtocol = {
  id: 'ads',
  by: 'name',
  prefix: 'GVL_Cell.',
  preset: (given) => {
    const { name, line } = ownBits(given)
    return { name: `${rows[given.row].from === 'plc' ? 'fromPlc' : 'toPlc'}.${name}`, line }
  },
  read: (message, wanted) => {
    const { payload, symbol } = propertiesOf(message)
    const { name = symbol } = propertiesOf(symbol)
    return typeof name === 'string' ? readingOf(name, payload, wanted) : undefined
  },
  write: (items, isChanged) => {
    const symbols = new Map<string, Item[]>()
    for (const item of items) {
      const { symbol } = placeOf(item.key)
      symbols.set(symbol, [...(symbols.get(symbol) ?? []), item])
    }
    return [...symbols]
      .filter(([, members]) => members.some(isChanged))
      .sort(([, one], [, other]) => rankOf(one) - rankOf(other))
      .map(([symbol, members]) => ({
        items: members,
        message: { topic: symbol, payload: payloadOf(members) },
      }))
  },
}

function readingOf(symbol: string, payload: unknown, wanted: readonly string[]): Reading | undefined {
  const prefix = `${symbol}.`.toLowerCase()
  // TwinCAT does not tell upper from lower case.
  const below = wanted.filter((name) => name.toLowerCase().startsWith(prefix))
  const members = isPlain(payload)
    ? valuesOf(
        below.map((name) => name.slice(prefix.length)),
        payload,
      )
    : new Map<string, unknown>()
  const values = new Map(
    below.flatMap((name): [string, unknown][] => {
      const value = members.get(name.slice(prefix.length))
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const own = wanted.find((name) => name.toLowerCase() === symbol.toLowerCase())
  if (own !== undefined) values.set(own, payload)
  return values.size > 0 ? { values, complete: false } : undefined
}

/** `GVL.variable` is a symbol with a value; with one more dot it is a member of the structure before the last. */
function placeOf(name: string): { symbol: string; member?: string } {
  const parts = name.split('.')
  const member = parts.length > 2 ? parts.pop() : undefined
  return { symbol: parts.join('.'), ...(member !== undefined && { member }) }
}

const payloadOf = (members: readonly Item[]): unknown => {
  const inside = members.flatMap(({ key, value }) => {
    const { member } = placeOf(key)
    return member === undefined ? [] : [{ key: member, value }]
  })
  return inside.length > 0 ? nested(inside) : members[0]?.value
}

const ranks: readonly RowGroup[] = writingOrder
const rankOf = (items: readonly Item[]) =>
  Math.max(...items.filter(({ group }) => group !== 'life').map(({ group }) => ranks.indexOf(group)))
