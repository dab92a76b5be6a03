/** A CPU for desk and tests: memory, S7 communication on loopback, and the faults that integrators meet. */
import { createServer, isIP, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { serveSocket } from '../../kernel/serve-socket'
import { pauseFor } from '../../kernel/timers'
import { checkOption, isWholeWithin, isWithin } from '../plc-error'
import { notListening } from '../modbus/server'
import type { CellWord } from '../rows'
import type { MapArea } from '../data/map'
import {
  confirmBytes,
  cotp,
  type CotpTelegram,
  dataBytes,
  disconnectBytes,
  extentsOf,
  functions,
  good,
  itemData,
  itemsOf,
  kinds,
  leastPdu,
  s7Areas,
  type S7Extent,
  S7Fault,
  s7Telegram,
  type S7Telegram,
  telegramReader,
  wantedPdu,
} from './frames'
import { identityAnswer, identityAsked, identityLists } from './identity'

/** What a CPU can be made to do, as people set it. @throws PlcError `INVALID_INPUT` */
function checkFaults(faults: Readonly<Record<string, unknown>>): S7Faults {
  const { putGet = true, block = 'present', access = 'full', delay = 0, connections = 8 } = faults
  const oneOf = (option: string, value: unknown, ...known: unknown[]) =>
    checkOption(option, value, known.includes(value), known.join(', '))
  for (const name of Object.keys(faults))
    oneOf('fault', name, 'putGet', 'block', 'access', 'delay', 'connections')
  oneOf('putGet', putGet, true, false)
  oneOf('block', block, 'present', 'missing', 'short')
  oneOf('access', access, 'full', 'read', 'none')
  checkOption('delay', delay, isWithin(delay, 0, 60_000), '0 to 60000 ms')
  checkOption('connections', connections, isWholeWithin(connections, 0, 100), '0 to 100')
  return faults
}

/** What a CPU can be made to do. */
export interface S7Faults {
  /** Whether PUT/GET is permitted. @default true */
  putGet?: boolean
  /** The data block is missing, or optimized; or it ends after its first byte pair. @default 'present' */
  block?: 'present' | 'missing' | 'short'
  /** What the access level permits without a password. @default 'full' */
  access?: 'full' | 'read' | 'none'
  /** Milliseconds before each answer. @default 0 */
  delay?: number
  /** Connections that it accepts. @default 8 */
  connections?: number
}

export interface S7ServerOptions {
  /** Own address to listen on. @default '127.0.0.1' */
  host?: string
  /** 0 is any that is free. @default 102 */
  port?: number
  /** Number of the data block that `registers` are in. @default 1 */
  block?: number
  /** Words of each data block, by its number. */
  blocks: Readonly<Record<number, number>>
  /** Longest telegram that it grants. @default 960 */
  pdu?: number
}

export interface S7ServerEvents {
  onClients?: (clients: readonly string[]) => void
  /** A client has written. */
  onWrite?: () => void
}

export interface S7Server {
  readonly port: number
  /** `performance.now()` of the last request; `-Infinity` before the first. */
  readonly lastRequest: number
  readonly clients: readonly string[]
  /** As it is now; undefined for memory that it does not have. */
  read: (area: MapArea, address: number) => number | undefined
  /** Sets words all at once: no request sees a part of them. */
  set: (words: Iterable<Pick<CellWord, 'area' | 'address' | 'value'>>) => void
  /** Changes these faults; the others stay. @throws PlcError `INVALID_INPUT` */
  fail: (faults: Readonly<Record<string, unknown>>) => void
  readonly faults: Readonly<Record<keyof S7Faults, unknown>>
  /** Cuts all connections. */
  cut: () => void
  /** Ends all connections, is away for some milliseconds, and comes back with its memory or with zeros. */
  restart: (options: { keepsMemory: boolean; away?: number }) => Promise<void>
  /** Resolves when nothing is left. */
  close: () => Promise<void>
}

/** Bytes of the memory beside data blocks. */
const otherMemory = 8192

/** @throws PlcError `INVALID_INPUT` for an option, or a port that is taken, below 1024 without the right, or not ours */
export async function startS7Server(
  { host = '127.0.0.1', port = 102, block = 1, blocks, pdu = wantedPdu }: S7ServerOptions,
  { onClients, onWrite }: S7ServerEvents = {},
): Promise<S7Server> {
  checkOption('host', host, isIP(host) > 0, 'an IP address of this computer, such as 127.0.0.1')
  checkOption('port', port, isWholeWithin(port, 0, 65_535), '0 to 65535')
  checkOption('block', block, isWholeWithin(block, 1, 65_535), '1 to 65535')
  checkOption('pdu', pdu, isWholeWithin(pdu, leastPdu, wantedPdu), `${leastPdu} to ${wantedPdu}`)
  const memory = new CpuMemory(block, blocks)
  const faults: Required<S7Faults> = {
    ...{ putGet: true, block: 'present', access: 'full', delay: 0, connections: 8 },
  }
  const sockets = new Set<Socket>()
  const addresses = () => [...sockets].map(({ remoteAddress = '' }) => remoteAddress)
  let lastRequest = -Infinity
  let server: Server | undefined
  const closing = new AbortController()
  const isClosed = () => closing.signal.aborted
  let at = port

  const connected = (socket: Socket) => {
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => {
      sockets.delete(socket)
      onClients?.(addresses())
    })
    serveCpu(socket, {
      memory,
      faults,
      pdu,
      isFull: () => sockets.size > faults.connections,
      received: () => {
        lastRequest = performance.now()
      },
      changed: () => onWrite?.(),
    })
    onClients?.(addresses())
  }
  const listen = async () => {
    const next = createServer(connected)
    next.listen(at, host)
    await once(next, 'listening').catch((error: unknown) => {
      throw notListening(error as NodeJS.ErrnoException, { host, port: at })
    })
    const address = next.address()
    if (typeof address === 'object' && address) at = address.port
    server = next
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const leave = async () => {
    const closing = server
    server = undefined
    if (!closing) return
    const closed = once(closing, 'close')
    closing.close()
    cut()
    await closed
  }

  await listen()
  return {
    get port() {
      return at
    },
    get lastRequest() {
      return lastRequest
    },
    get clients() {
      return addresses()
    },
    read: (area, address) => memory.word(area, address),
    set: (items) => {
      for (const { area, address, value } of items) memory.setWord(area, address, value)
    },
    fail: (changed) => void Object.assign(faults, checkFaults(changed)),
    faults,
    cut,
    restart: async ({ keepsMemory, away = 300 }) => {
      await leave()
      if (!keepsMemory) memory.clear()
      await pauseFor(away, closing.signal)
      // It may have been closed, or restarted once more, in the meantime.
      if (isClosed() || server) return
      await listen()
      if (isClosed()) await leave()
    },
    close: async () => {
      closing.abort()
      await leave()
    },
  }
}

/** Memory of a CPU, by the names of its areas. */
export class CpuMemory {
  readonly #block: number
  readonly #areas: ReadonlyMap<string, Buffer>

  constructor(block: number, blocks: Readonly<Record<number, number>>) {
    this.#block = block
    this.#areas = new Map([
      ...Object.entries(blocks).map(([number, words]): [string, Buffer] => [
        keyOf(s7Areas.block, Number(number)),
        Buffer.alloc(2 * Math.max(1, words)),
      ]),
      ...[s7Areas.flags, s7Areas.inputs, s7Areas.outputs].map((area): [string, Buffer] => [
        keyOf(area, 0),
        Buffer.alloc(otherMemory),
      ]),
    ])
  }

  bytes({ area, block }: S7Extent): Buffer | undefined {
    return this.#areas.get(keyOf(area, area === s7Areas.block ? block : 0))
  }

  word(area: MapArea, address: number): number | undefined {
    const bytes = this.#of(area)
    return bytes && 2 * address + 2 <= bytes.length ? bytes.readUInt16BE(2 * address) : undefined
  }

  setWord(area: MapArea, address: number, value: number): void {
    const bytes = this.#of(area)
    if (bytes && 2 * address + 2 <= bytes.length) bytes.writeUInt16BE(value, 2 * address)
  }

  clear(): void {
    for (const bytes of this.#areas.values()) bytes.fill(0)
  }

  #of(area: MapArea): Buffer | undefined {
    const name = area.startsWith('words ') ? area.slice(6) : `DB${this.#block}`
    const other = { M: s7Areas.flags, I: s7Areas.inputs, Q: s7Areas.outputs }[name]
    return this.#areas.get(other === undefined ? `132 ${name.slice(2)}` : keyOf(other, 0))
  }
}

const keyOf = (area: number, block: number) => `${area} ${block}`

interface Cpu {
  memory: CpuMemory
  faults: Readonly<Required<S7Faults>>
  pdu: number
  /** There are more connections than it has. */
  isFull: () => boolean
  received: () => void
  changed: () => void
}

/** What a CPU answers on one connection. @returns throws S7Fault for what ends it */
export function cpuAnswers(cpu: Cpu): (telegram: CotpTelegram) => Buffer {
  let granted = leastPdu
  let isConnected = false

  return (telegram) => {
    if (telegram.type === cotp.connect) {
      if (cpu.isFull()) return disconnectBytes()
      isConnected = true
      return confirmBytes(telegram.content)
    }
    if (telegram.type !== cotp.data || !isConnected) throw new S7Fault('telegram', telegram.content)
    const request = s7Telegram(telegram.content)
    cpu.received()
    if (
      request.kind === kinds.job &&
      request.parameter[0] === functions.setup &&
      request.parameter.length === 8
    ) {
      granted = Math.max(leastPdu, Math.min(cpu.pdu, request.parameter.readUInt16BE(6)))
      const parameter = Buffer.of(functions.setup, 0, 0, 1, 0, 1, granted >> 8, granted & 255)
      return dataBytes({ kind: kinds.ackData, sequence: request.sequence, parameter })
    }
    const list = identityAsked(request)
    if (list) return identityAnswer(request.sequence, list, recordsOf(list.list, cpu.faults))
    if (request.kind !== kinds.job) throw new S7Fault('telegram', telegram.content)
    return jobAnswer(request, cpu, granted)
  }
}

function serveCpu(socket: Socket, cpu: Cpu): void {
  const read = telegramReader()
  const waiting: CotpTelegram[] = []
  const answerTo = cpuAnswers(cpu)
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  serveSocket<CotpTelegram>(socket, {
    push: (bytes) => {
      try {
        for (const telegram of read(bytes)) waiting.push(telegram)
      } catch {
        // A CPU ends such a connection without a word.
        socket.destroy()
      }
    },
    next: () => waiting.shift(),
    answer: async (telegram) => {
      if (cpu.faults.delay > 0) await pauseFor(cpu.faults.delay, gone.signal)
      if (socket.destroyed) return
      try {
        socket.write(answerTo(telegram))
      } catch (error) {
        if (!(error instanceof S7Fault)) throw error
        socket.destroy()
      }
    },
  })
}

/** Error class and code of a CPU that does not permit PUT/GET, or does not have the function. */
const notPermitted = 0x8104

function jobAnswer({ sequence, parameter, data }: S7Telegram, cpu: Cpu, granted: number): Buffer {
  const refusal = (error: number) =>
    dataBytes({ kind: kinds.ack, sequence, parameter: Buffer.alloc(0), error })
  const code = parameter[0]
  if (code !== functions.read && code !== functions.write) return refusal(notPermitted)
  if (!cpu.faults.putGet) return refusal(notPermitted)
  const extents = extentsOf(parameter)
  const head = Buffer.of(code, extents.length)
  if (code === functions.read) {
    const items = extents.map((extent, index) => readItem(extent, cpu, index === extents.length - 1))
    const answer = Buffer.concat(items)
    // Longer than what has been agreed upon.
    if (14 + answer.length > granted) return refusal(0x8500)
    return dataBytes({ kind: kinds.ackData, sequence, parameter: head, data: answer })
  }
  const values = itemsOf(data, extents.length)
  const codes = extents.map((extent, index) => writeItem(extent, values[index]?.value, cpu))
  if (codes.includes(good)) cpu.changed()
  return dataBytes({ kind: kinds.ackData, sequence, parameter: head, data: Buffer.from(codes) })
}

/** Return codes of items. */
const codes = { access: 0x03, range: 0x05, type: 0x07, missing: 0x0a } as const

/** The bytes of an extent, or why it has none. */
function bytesAt(extent: S7Extent, { memory, faults }: Cpu): Buffer | number {
  const bytes = memory.bytes(extent)
  const isBlock = extent.area === s7Areas.block
  if (!bytes || (isBlock && faults.block === 'missing')) return isBlock ? codes.missing : codes.type
  const end = isBlock && faults.block === 'short' ? 2 : bytes.length
  if (extent.byte + extent.bytes > end) return codes.range
  return bytes.subarray(extent.byte, extent.byte + extent.bytes)
}

function readItem(extent: S7Extent, cpu: Cpu, isLast: boolean): Buffer {
  const bytes = cpu.faults.access === 'none' ? codes.access : bytesAt(extent, cpu)
  if (typeof bytes === 'number') return itemData(Buffer.alloc(0), isLast, bytes)
  if (extent.bit === undefined) return itemData(bytes, isLast, good)
  const item = itemData(Buffer.of((bytes.readUInt8(0) >> extent.bit) & 1), isLast, good)
  item[1] = 3
  item.writeUInt16BE(1, 2)
  return item
}

function writeItem(extent: S7Extent, value: Buffer | undefined, cpu: Cpu): number {
  if (cpu.faults.access !== 'full') return codes.access
  const bytes = bytesAt(extent, cpu)
  if (typeof bytes === 'number') return bytes
  if (value?.length !== bytes.length) return codes.type
  if (extent.bit === undefined) value.copy(bytes)
  else bytes[0] = (bytes.readUInt8(0) & ~(1 << extent.bit)) | ((value.readUInt8(0) & 1) << extent.bit)
  return good
}

/** What it says of itself. */
function recordsOf(list: number, { access }: S7Faults): Buffer[] {
  if (list === identityLists.module.list) return [record(1, '6ES7 000-0AA00-0AA0', 28)]
  if (list === identityLists.component.list)
    return [record(1, 'virtual PLC', 34), record(7, 'virtual CPU', 34)]
  if (list !== identityLists.protection.list) return []
  const protection = Buffer.alloc(40)
  protection.writeUInt16BE(identityLists.protection.index, 0)
  protection.writeUInt16BE(1, 2)
  protection.writeUInt16BE(access === 'none' ? 3 : access === 'read' ? 2 : 1, 4)
  return [protection]
}

function record(index: number, text: string, length: number): Buffer {
  const bytes = Buffer.alloc(length, ' ')
  bytes.writeUInt16BE(index, 0)
  bytes.write(text, 2, 'latin1')
  return bytes
}
