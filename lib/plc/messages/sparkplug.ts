import { isPlain, propertiesOf, valuesOf } from './message'
import { ownBits } from './preset-lines'
import type { MessageProtocol } from './protocol'

/** Most metrics of a message that are read. */
const mostMetrics = 10_000

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
    const named = known.flatMap(({ name, value }) =>
      typeof name === 'string' ? [[name, value] as const] : [],
    )
    const values = valuesOf(wanted, Object.fromEntries(named))
    return values.size > 0 ? { values, complete: false } : undefined
  },
  // The whole each time, in one message: the device is announced when all its metrics have a value.
  write: (items, isChanged) =>
    items.some(isChanged)
      ? [{ items, message: { payload: { metrics: items.map(({ key, value }) => ({ name: key, value })) } } }]
      : [],
}
