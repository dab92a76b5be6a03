import { isPlain, propertiesOf, valuesOf } from './message'
import { messagesError } from './messages-error'
import { ownBits } from './preset-lines'
import type { MessageProtocol } from './protocol'

/** Most metrics of a message that are read. */
const mostMetrics = 10_000

/** What births said of aliases, for each reader by its list of names. Only wanted names are kept, so that it is bounded. */
const births = new WeakMap<readonly string[], Map<string, string>>()

function aliasesOf(wanted: readonly string[]): Map<string, string> {
  const known = births.get(wanted) ?? new Map<string, string>()
  births.set(wanted, known)
  return known
}

/** An alias is a number of 64 bit: libraries give a number, a BigInt, or an object that writes itself as one. */
function aliasKey(alias: unknown): string | undefined {
  if (alias === undefined || alias === null) return undefined
  try {
    const number = Number(alias)
    return Number.isSafeInteger(number) && number >= 0 ? String(number) : undefined
  } catch {
    return undefined
  }
}

/** `node-red-contrib-mqtt-sparkplug-plus`: commands to our device (DCMD) come in, its metrics go out. */
export const sparkplug: MessageProtocol = {
  id: 'sparkplug',
  by: 'name',
  prefix: 'Cell/',
  preset: ownBits,
  read: (message, wanted) => {
    const { metrics } = propertiesOf(propertiesOf(message)['payload'])
    if (!Array.isArray(metrics) || metrics.length > mostMetrics) return undefined
    // A value from the time without a connection asks for nothing now.
    const known = (metrics as unknown[]).filter(isPlain).filter(({ isHistorical }) => isHistorical !== true)
    const names = aliasesOf(wanted)
    let unknown: string | undefined
    const named = known.flatMap(({ name, alias, value }) => {
      const key = aliasKey(alias)
      if (typeof name === 'string' && name !== '') {
        if (key !== undefined && wanted.includes(name)) names.set(key, name)
        return [[name, value] as const]
      }
      if (key === undefined) return []
      const born = names.get(key)
      if (born === undefined) unknown ??= key
      return born === undefined ? [] : [[born, value] as const]
    })
    const values = valuesOf(wanted, Object.fromEntries(named))
    if (values.size > 0) return { values, complete: false }
    if (unknown === undefined) return undefined
    throw messagesError({ code: 'BAD_REPLY', key: 'messages-alias', values: { alias: unknown } })
  },
  // The whole each time, in one message: the device is announced when all its metrics have a value.
  write: (items, isChanged) =>
    items.some(isChanged)
      ? [{ items, message: { payload: { metrics: items.map(({ key, value }) => ({ name: key, value })) } } }]
      : [],
}
