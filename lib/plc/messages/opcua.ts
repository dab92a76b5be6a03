import type { PlcType } from '../rows'
import { propertiesOf, type Item, type Reading } from './message'
import { wordOfBits } from './preset-lines'
import type { MessageProtocol } from './protocol'
import { single } from './single'

/**
 * `node-red-contrib-opcua`: names are node ids. One client node reads and writes; it reads when it is asked, so that nothing
 * depends on a subscription that a deploy has lost.
 */
export const opcua: MessageProtocol = {
  id: 'opcua',
  by: 'name',
  prefix: 'ns=2;s=Cell.',
  preset: wordOfBits,
  read: (message, wanted) => {
    const { topic, payload, statusCode } = propertiesOf(message)
    if (Array.isArray(topic) && Array.isArray(payload)) return several(topic, payload, wanted)
    if (!isGood(statusCode)) return undefined
    const value = propertiesOf(payload)['value'] === undefined ? payload : goodValue(payload)
    return single({ topic, payload: value }, wanted)
  },
  write: (items, isChanged) => {
    const changed = items.filter(isChanged)
    return changed.length ? [{ items: changed, message: writeMessage(changed) }] : []
  },
  ask: (wanted) => ({ action: 'readmultiple', topic: 'readmultiple', payload: [...wanted] }),
}

/** The third output: all that was asked for, by the node ids as they were asked. */
function several(
  items: readonly unknown[],
  values: readonly unknown[],
  wanted: readonly string[],
): Reading | undefined {
  const found = items.flatMap((item, index): [string, unknown][] => {
    const nodeId = idIn(item)
    const value = goodValue(values[index])
    return wanted.includes(nodeId) && value !== undefined && value !== null ? [[nodeId, value]] : []
  })
  return found.length > 0 ? { values: new Map(found), complete: true } : undefined
}

/** The client replaces the text by an object of its own, which writes itself as that text. */
function idIn(item: unknown): string {
  try {
    return String(propertiesOf(item)['nodeId'])
  } catch {
    return ''
  }
}

/** The value of a DataValue; what the server calls bad is none. */
function goodValue(given: unknown): unknown {
  const { value, statusCode } = propertiesOf(given)
  return isGood(statusCode) ? propertiesOf(value)['value'] : undefined
}

const isGood = (statusCode: unknown): boolean => {
  const { value = 0 } = propertiesOf(statusCode)
  return value === 0
}

/** Any topic but the action's own: with that one the node would pass the list on as it is. */
const writeMessage = (items: readonly Item[]) => ({
  action: 'writemultiple',
  topic: 'cell',
  payload: items.map(({ key, type, value }) => ({
    nodeId: key,
    datatype: dataTypes[type],
    value: value instanceof Uint8Array ? Buffer.from(value) : value,
  })),
})

const dataTypes: Readonly<Record<PlcType, string>> = {
  bit: 'Boolean',
  INT: 'Int16',
  UINT: 'UInt16',
  DINT: 'Int32',
  UDINT: 'UInt32',
  REAL: 'Float',
  STRING: 'String',
  bytes: 'ByteString',
}
