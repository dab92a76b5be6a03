import type { PlcType } from '../rows'
import { propertiesOf, type Item, type Reading } from './message'
import { messagesError } from './messages-error'
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
    const isWhole = propertiesOf(payload)['value'] !== undefined
    const status = isWhole && isGood(statusCode) ? propertiesOf(payload)['statusCode'] : statusCode
    if (typeof topic === 'string' && wanted.includes(topic)) demandGood(topic, status)
    return single({ topic, payload: isWhole ? goodValue(payload) : payload }, wanted)
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
  if (found.length > 0) return { values: new Map(found), complete: true }
  items.forEach((item, index) => {
    const nodeId = idIn(item)
    if (wanted.includes(nodeId)) demandGood(nodeId, propertiesOf(values[index])['statusCode'])
  })
  return undefined
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

const codeIn = (statusCode: unknown): number => Number(propertiesOf(statusCode)['value'] ?? 0)

/** The two highest bits are the severity: 0 good, 1 uncertain, 2 bad. What the others say makes a good value no worse. */
const severityIn = (statusCode: unknown): number => codeIn(statusCode) >>> 30

const isGood = (statusCode: unknown): boolean => severityIn(statusCode) === 0

/** @throws PlcError for a value that the server itself does not vouch for */
function demandGood(name: string, statusCode: unknown): void {
  const severity = severityIn(statusCode)
  if (severity === 0) return
  const status = `0x${(codeIn(statusCode) >>> 0).toString(16).toUpperCase().padStart(8, '0')}`
  const key = severity === 1 ? 'messages-opcua-uncertain' : 'messages-opcua-bad'
  throw messagesError({ code: 'BAD_REPLY', key, values: { name, status } })
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
