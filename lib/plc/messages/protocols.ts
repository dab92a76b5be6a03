/** How the nodes of each protocol name, read and write values: data and two functions each. */
import type { MapLine } from '../data'
import type { Family } from '../families'
import { planWrites } from '../client'
import { type ModbusArea, modbusLimits } from '../modbus'
import { type DefaultLine, type PlcType, type RowGroup, rows, writingOrder } from '../rows'
import {
  type IsChanged,
  isPlain,
  type Item,
  keyOfWord,
  messagesError,
  nested,
  objectIn,
  propertiesOf,
  type Reading,
  single,
  type Step,
  valuesOf,
} from './message'

export type MessageProtocolId =
  | 's7'
  | 'opcua'
  | 'mqtt'
  | 'sparkplug'
  | 'ads'
  | 'modbus'
  | 'ethernet-ip'
  | 'any'

/** How the words of a handshake travel in the messages of other nodes: data and two functions. */
export interface MessageProtocol {
  id: MessageProtocolId
  /** Whether lines of the map have addresses, or names as these nodes know them. */
  by: 'address' | 'name'
  /** What all names of the preset begin with. */
  prefix: string
  /** A line of a family as this protocol has it, with its name after the prefix. */
  preset: (line: DefaultLine) => { name: string; line: Omit<MapLine, 'name' | 'address'> }
  /**
   * What a message of the reader says.
   * @param wanted names, or memory and address, of the map
   * @returns undefined where the message is none of the reader's
   */
  read: (message: object, wanted: readonly string[]) => Reading | undefined
  /**
   * The messages that the writer needs, results before the state that makes them valid.
   * @param items all values, in writing order
   */
  write: (items: readonly Item[], isChanged: IsChanged) => Step[]
  /** The message that makes the reader read, where it does not by itself; those that ask for something come first. */
  ask?: (wanted: readonly string[]) => object
}

/** Bits stay bits of one word for each side: a bit of its own would need a write of its own. */
const wordOfBits: MessageProtocol['preset'] = (line) =>
  line.type === 'bit'
    ? { name: rows[line.row].from === 'plc' ? 'control' : 'state', line: withoutAddress(line) }
    : { name: nameOf(line), line: withoutAddress(line) }

/** Each bit has a name of its own: for what is written as a whole. */
const ownBits: MessageProtocol['preset'] = (given) => {
  const line = withoutAddress(given)
  delete line.bit
  return { name: nameOf(given), line }
}

/** The same with other types, where the protocol lacks one. */
const withTypes =
  (preset: MessageProtocol['preset'], types: Partial<Record<PlcType, PlcType>>): MessageProtocol['preset'] =>
  (given) => {
    const { name, line } = preset(given)
    return { name, line: { ...line, type: types[line.type] ?? line.type } }
  }

function withoutAddress(line: DefaultLine): Omit<DefaultLine, 'address'> {
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

/** `node-red-contrib-s7`: names are those of the endpoint's variables. */
const s7: MessageProtocol = {
  id: 's7',
  by: 'name',
  prefix: '',
  preset: wordOfBits,
  read: (message, wanted) => objectIn(propertiesOf(message)['payload'], wanted) ?? single(message, wanted),
  write: (items, isChanged) => {
    const steps: Item[][] = []
    let isOpen = false
    for (const item of items.filter(isChanged)) {
      if (!isOpen) steps.push([])
      steps.at(-1)?.push(item)
      isOpen = !isOdd(item)
    }
    return steps.map(toStep)
  },
}

/** The node sends no fill byte: what follows an odd number of bytes would be refused, after the first was written. */
const isOdd = ({ type, value }: Item): boolean =>
  type === 'bit' ||
  ((type === 'STRING' || type === 'bytes') && (value as string | Uint8Array).length % 2 === 1)

const toStep = (items: Item[]): Step => ({
  items,
  message: {
    variable: items.map(({ key }) => key),
    payload: items.map(({ value }) => (value instanceof Uint8Array ? [...value] : value)),
  },
})

/**
 * `node-red-contrib-opcua`: names are node ids. One client node reads and writes; it reads when it is asked, so that nothing
 * depends on a subscription that a deploy has lost.
 */
const opcua: MessageProtocol = {
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

/** Any nodes: an object with the values by their names comes in, and goes out whole. */
const any: MessageProtocol = {
  id: 'any',
  by: 'name',
  prefix: '',
  preset: ownBits,
  read: (message, wanted) => objectIn(propertiesOf(message)['payload'], wanted) ?? single(message, wanted),
  // The whole each time: the one message replaces the one before, and a lost one is repaired by the next beat.
  write: (items, isChanged) =>
    items.some(isChanged) ? [{ items, message: { payload: nested(items) } }] : [],
}

/** *mqtt in* and *mqtt out*, both with JSON. */
const mqtt: MessageProtocol = {
  ...any,
  id: 'mqtt',
  read: (message, wanted) => {
    const { payload, retain } = propertiesOf(message)
    const reading = objectIn(parsed(payload), wanted)
    // The broker kept it from before the connection: nothing in it is asked now.
    return reading && retain === true ? { ...reading, fresh: true } : reading
  },
}

/** Longest text that is read as JSON. */
const longest = 1_000_000

function parsed(payload: unknown): unknown {
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) return payload
  if (payload.length > longest) return undefined
  try {
    return JSON.parse(typeof payload === 'string' ? payload : Buffer.from(payload).toString('utf8'))
  } catch {
    return undefined
  }
}

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
const sparkplug: MessageProtocol = {
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

/** `node-red-contrib-ads-client`: names are symbols, or members of a structure, which is read and written whole. */
const ads: MessageProtocol = {
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

/** `node-red-contrib-modbus`: *modbus-read* reads, *modbus-flex-write* writes. */
const modbusNodes: MessageProtocol = {
  id: 'modbus',
  by: 'address',
  prefix: '',
  preset: (line) => ({ name: '', line: withoutAddress(line) }),
  read: (message, wanted) => {
    const { payload, modbusRequest, input } = propertiesOf(message)
    const request = propertiesOf(modbusRequest ?? propertiesOf(input)['payload'])
    const area = areas[Number(request['fc'])]
    const first = Number(request['address'])
    if (!Array.isArray(payload) || !area || !Number.isInteger(first)) return undefined
    return wordsRead(area, first, payload, wanted)
  },
  write: (items, isChanged) => {
    const byKey = new Map(items.map((item) => [item.key, item]))
    const words = items.flatMap(({ word }) => (word ? [word] : []))
    const requests = planWrites(words, modbusLimits.write, ({ area, address }) => {
      const item = byKey.get(keyOfWord(area, address))
      return item !== undefined && isChanged(item)
    })
    return requests.map(({ area, address, values }) => ({
      items: values.flatMap((_, offset): Item[] => {
        const item = byKey.get(keyOfWord(area, address + offset))
        return item ? [item] : []
      }),
      message: {
        payload: { fc: area === 'coils' ? 15 : 16, address, quantity: values.length, value: values },
      },
    }))
  },
}

/** By function code. */
const areas: Readonly<Partial<Record<number, ModbusArea>>> = {
  1: 'coils',
  2: 'discreteInputs',
  3: 'registers',
  4: 'inputRegisters',
}

function wordsRead(
  area: ModbusArea,
  first: number,
  values: readonly unknown[],
  wanted: readonly string[],
): Reading | undefined {
  const known = new Set(wanted)
  const found = new Map<string, unknown>()
  values.forEach((value, offset) => {
    const key = keyOfWord(area, first + offset)
    if (known.has(key) && (typeof value === 'number' || typeof value === 'boolean'))
      found.set(key, Number(value))
  })
  return found.size > 0 ? { values: found, complete: false } : undefined
}

/**
 * `node-red-contrib-cip-ethernet-ip`: each tag has an output node of its own, so each value is a message with its tag as
 * topic. The node loses a value that comes while another is on its way: the next one goes when the tag reads back.
 */
const ethernetIp: MessageProtocol = {
  id: 'ethernet-ip',
  by: 'name',
  prefix: 'Cell_',
  // Most of these controllers have no unsigned types.
  preset: withTypes(wordOfBits, { UINT: 'DINT', UDINT: 'DINT' }),
  read: (message, wanted) => {
    const { payload } = propertiesOf(message)
    if (!isPlain(payload)) return single(message, wanted)
    const values = valuesOf(wanted, payload)
    return values.size > 0 ? { values, complete: false } : undefined
  },
  write: (items, isChanged) =>
    items
      .filter(isChanged)
      .map((item) => ({ items: [item], message: { topic: item.key, payload: item.value } })),
}

/** All protocols, by their id. */
export const messageProtocols: Readonly<Record<MessageProtocolId, MessageProtocol>> = {
  s7,
  opcua,
  mqtt,
  sparkplug,
  ads,
  modbus: modbusNodes,
  'ethernet-ip': ethernetIp,
  any,
}

/** The map of a family as a protocol has it. @param prefix what its names begin with @default the protocol's own */
export const presetLines = (
  { map }: Family,
  { by, preset, prefix: usual }: MessageProtocol,
  prefix = usual,
): readonly MapLine[] =>
  by === 'address'
    ? map
    : map.map((given) => {
        const { name, line } = preset(given)
        return { ...line, name: nameWith(prefix, name) }
      })

/**
 * The name behind its prefix. An S7-1500 quotes each part of its OPC UA names: after a prefix whose parts are quoted, as in
 * `ns=3;s="Cell".`, the name is quoted too.
 */
function nameWith(prefix: string, name: string): string {
  const quotes = prefix.split('"').length - 1
  if (quotes % 2 === 1) return `${prefix}${name}"`
  return quotes > 0 && prefix.endsWith('.') ? `${prefix}"${name}"` : `${prefix}${name}`
}
