/**
 * An SLMP server with the memory of a MELSEC PLC, for the virtual PLC and for tests.
 *
 * In: requests over TCP or UDP. Out: answers, one after the other on each connection, and the faults that it is told to have.
 * It checks lengths, devices and ranges as a CPU does.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, isIP, type Socket } from 'node:net'
import { plainAddress } from '../../hosts/allowed-hosts'
import { serveSocket } from '../../kernel/serve-socket'
import { pauseFor, sleep, startTimeout } from '../../kernel/timers'
import { notListening } from '../modbus/server'
import { checkOption, isWholeWithin, isWithin, type PlcError } from '../plc-error'
import type { MapArea } from '../data/map'
import type { CellWord } from '../rows'
import { deviceAt, firstD, type SlmpDevice, slmpDevices, type SlmpStart } from './devices'
import {
  answerBytes,
  datagramFrame,
  endCodes,
  frameBytes,
  frameReader,
  refusalBytes,
  requestOf,
  type SlmpFault,
  type SlmpFrame,
  SlmpRefusal,
  type SlmpRequest,
  slmpError,
  type SlmpUnit,
} from './frames'

export type SlmpTransport = 'tcp' | 'udp'

/** How many of each device a PLC has. */
export type SlmpExtents = Readonly<Partial<Record<SlmpDevice, number>>>

/** As a CPU has them by default. */
const usualExtents: SlmpExtents = {
  D: 12_288,
  W: 8192,
  R: 32_768,
  ZR: 65_536,
  M: 8192,
  B: 8192,
  X: 8192,
  Y: 8192,
}

/** The devices of one PLC, all 0 at first. It outlasts the server: a PLC that restarts may keep it. */
export class SlmpMemory {
  readonly #items: ReadonlyMap<SlmpDevice, Uint16Array>

  constructor(extents: SlmpExtents = usualExtents) {
    this.#items = new Map(
      Object.entries(extents).map(([device, count]) => [device as SlmpDevice, new Uint16Array(count)]),
    )
  }

  /** @throws SlmpRefusal where one of them does not exist */
  read(
    device: SlmpDevice,
    number: number,
    count: number,
    unit: SlmpUnit = slmpDevices[device].item,
  ): number[] {
    const items = this.#within(device, number, count, unit)
    if (unit === slmpDevices[device].item) return [...items]
    return Array.from({ length: count }, (_, word) =>
      items.subarray(word * 16, word * 16 + 16).reduce((bits, bit, place) => bits | (bit << place), 0),
    )
  }

  /** All or nothing. @throws SlmpRefusal where one of them does not exist */
  write(
    device: SlmpDevice,
    number: number,
    values: readonly number[],
    unit: SlmpUnit = slmpDevices[device].item,
  ): void {
    const items = this.#within(device, number, values.length, unit)
    if (unit === slmpDevices[device].item) items.set(values)
    else items.forEach((_, place) => (items[place] = ((values[place >> 4] ?? 0) >> (place & 15)) & 1))
  }

  has(device: SlmpDevice, number: number): boolean {
    return number < (this.#items.get(device)?.length ?? 0)
  }

  /** As after a loss of its battery. */
  clear(): void {
    for (const items of this.#items.values()) items.fill(0)
  }

  #within(device: SlmpDevice, number: number, count: number, unit: SlmpUnit): Uint16Array {
    const items = this.#items.get(device)
    if (!items) throw new SlmpRefusal(endCodes.noDevice)
    const end = number + count * (unit === slmpDevices[device].item ? 1 : 16)
    if (end > items.length) throw new SlmpRefusal(endCodes.beyondDevices)
    return items.subarray(number, end)
  }
}

/** What a PLC does wrong, or is set to. */
export interface SlmpFaults {
  /** Whether it can be written while its program runs. @default true */
  writesInRun?: boolean
  /** End code of every request; 0 for none. @default 0 */
  endCode?: number
  /** Milliseconds before each answer. @default 0 */
  delay?: number
  /** It takes requests and answers none, like a PLC behind a cut cable. @default false */
  isSilent?: boolean
  /** Connections at a time; a further one is closed at once. @default 16 */
  connections?: number
}

/** The faults as people set them. @throws PlcError `INVALID_INPUT` */
function checkFaults(faults: Readonly<Record<string, unknown>>): SlmpFaults {
  const names = ['writesInRun', 'endCode', 'delay', 'isSilent', 'connections']
  for (const name of Object.keys(faults)) checkOption('fault', name, names.includes(name), names.join(', '))
  const { writesInRun = true, endCode = 0, delay = 0, isSilent = false, connections = 16 } = faults
  checkOption('writesInRun', writesInRun, typeof writesInRun === 'boolean', 'true, false')
  checkOption('isSilent', isSilent, typeof isSilent === 'boolean', 'true, false')
  checkOption('endCode', endCode, isWholeWithin(endCode, 0, 0xffff), '0 to 65535')
  checkOption('delay', delay, isWithin(delay, 0, 60_000), '0 to 60000 ms')
  checkOption('connections', connections, isWholeWithin(connections, 0, 100), '0 to 100')
  return faults
}

export interface SlmpServerOptions {
  /** @default the devices of a usual CPU */
  memory?: SlmpMemory
  /** Where `registers` begin. @default D0 */
  start?: SlmpStart
  /** Own address to listen on. @default '127.0.0.1' */
  host?: string
  /** 0 is any that is free. @default 5007 */
  port?: number
  /** A connection of a PLC is set to one of both. @default 'tcp' */
  transport?: SlmpTransport
  /** Name of the CPU model, at most 16 characters. @default 'VIRTUAL-CPU' */
  model?: string
}

export interface SlmpServerEvents {
  /** A client has written. The answer goes out after this returns: what is set here, the client's next read shows. */
  onWrite?: () => void
  /** Addresses of the clients, whenever they changed; over UDP those that have asked in the last seconds. */
  onClients?: (clients: readonly string[]) => void
  /** What a client sent cannot be read; or the server listens no more. */
  onError?: (error: PlcError) => void
}

export interface SlmpServer {
  readonly host: string
  readonly port: number
  readonly memory: SlmpMemory
  readonly counts: Readonly<{ requests: number; writes: number; refusals: number; turnedAway: number }>
  /** `performance.now()` of the last request; `-Infinity` before the first. */
  readonly lastRequest: number
  readonly clients: readonly string[]
  /** As it is now; undefined for memory that it does not have. */
  read: (area: MapArea, address: number) => number | undefined
  /** Sets items all at once: no request sees a part of them. */
  set: (items: Iterable<Pick<CellWord, 'area' | 'address' | 'value'>>) => void
  /** Changes these faults from the next request on; the others stay. @throws PlcError `INVALID_INPUT` */
  fail: (faults: Readonly<Record<string, unknown>>) => void
  readonly faults: Readonly<Record<keyof SlmpFaults, unknown>>
  /** Ends all connections. */
  cut: () => void
  /** Ends all connections, is away for some milliseconds, and comes back with its memory or with zeros. */
  restart: (options: { keepsMemory: boolean; away?: number }) => Promise<void>
  /** Resolves when nothing is left. */
  close: () => Promise<void>
}

/** Milliseconds after which a client that sends datagrams counts as gone. */
const quiet = 5000

/** Datagrams that wait for an answer; further ones are lost, as in a PLC. */
const mostWaiting = 64

/** @throws PlcError `INVALID_INPUT` for an option, or a port that is taken, below 1024 without the right, or not ours */
export async function startSlmpServer(
  {
    memory = new SlmpMemory(),
    start = firstD,
    host = '127.0.0.1',
    port = 5007,
    transport = 'tcp',
    model = 'VIRTUAL-CPU',
  }: SlmpServerOptions = {},
  { onWrite, onClients, onError }: SlmpServerEvents = {},
): Promise<SlmpServer> {
  checkOption('host', host, isIP(host) > 0, 'an IP address of this computer, such as 127.0.0.1')
  checkOption('port', port, isWholeWithin(port, 0, 65_535), '0 to 65535')
  const counts = { requests: 0, writes: 0, refusals: 0, turnedAway: 0 }
  const closing = new AbortController()
  const isClosed = () => closing.signal.aborted
  const faults: Required<SlmpFaults> = {
    ...{ writesInRun: true, endCode: 0, delay: 0, isSilent: false, connections: 16 },
  }
  let lastRequest = -Infinity
  let at = port

  /** Answers that are delayed get lost with their connection. */
  let connection = new AbortController()
  const waited = (milliseconds: number) =>
    sleep(milliseconds, connection.signal).then(
      () => true,
      () => false,
    )

  /** @returns undefined where there is to be no answer */
  async function answer(frame: SlmpFrame): Promise<Buffer | undefined> {
    counts.requests++
    lastRequest = performance.now()
    if (faults.isSilent) return undefined
    let data: Buffer
    try {
      const request = requestOf(frame.data)
      data = answerBytes(request, serve(request))
    } catch (error) {
      if (!(error instanceof SlmpRefusal)) throw error
      counts.refusals++
      data = refusalBytes(frame, error.endCode)
    }
    if (faults.delay && !(await waited(faults.delay))) return undefined
    return frameBytes('answer', { ...frame, data })
  }

  function serve(request: SlmpRequest): number[] | string {
    if (faults.endCode) throw new SlmpRefusal(faults.endCode)
    if (request.kind === 'model') return model
    const { device, number, unit } = request
    if (request.kind === 'read') return memory.read(device, number, request.count, unit)
    if (!faults.writesInRun) throw new SlmpRefusal(endCodes.writeDuringRun)
    memory.write(device, number, request.values, unit)
    counts.writes++
    onWrite?.()
    return []
  }

  const failed = (client: string, { fault, found }: SlmpFault) => {
    const shown = fault === 'length' ? found : found.toString(16).toUpperCase().padStart(4, '0')
    onError?.(slmpError({ code: 'BAD_REPLY', key: `slmp-client-${fault}`, values: { client, found: shown } }))
  }

  const clients = new Map<string, { address: string; leave: () => void }>()
  const reportClients = () => onClients?.(addressesOf(clients))
  const joined = (key: string, address: string, leave: () => void) => {
    clients.set(key, { address, leave })
    reportClients()
  }
  const left = (key: string) => {
    if (clients.delete(key)) reportClients()
  }

  function connected(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? '')
    const key = `${address} ${socket.remotePort ?? 0}`
    socket.on('error', () => socket.destroy())
    if (clients.size >= faults.connections) {
      counts.turnedAway++
      socket.destroy()
      return
    }
    socket.once('close', () => left(key))
    joined(key, address, () => socket.destroy())
    const framesIn = frameReader('request')
    const chunks: Buffer[] = []
    let frames: ReturnType<typeof framesIn> | undefined
    serveSocket<SlmpFrame | SlmpFault>(socket, {
      push: (bytes) => void chunks.push(bytes),
      next: () => {
        for (;;) {
          const found = frames?.next()
          if (found && !found.done) return found.value
          const chunk = chunks.shift()
          if (!chunk) return undefined
          frames = framesIn(chunk)
        }
      },
      answer: async (frame) => {
        if ('fault' in frame) {
          failed(address, frame)
          socket.destroy()
          return
        }
        const bytes = await answer(frame)
        if (bytes && !socket.destroyed) socket.write(bytes)
      },
    })
  }

  async function listenForDatagrams(): Promise<Listening> {
    const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4')
    let waiting = 0
    let last = Promise.resolve()
    const timers = new Map<string, NodeJS.Timeout>()
    const respond = async (bytes: Buffer, from: { address: string; port: number }) => {
      const frame = datagramFrame('request', bytes)
      if ('fault' in frame) {
        failed(from.address, frame)
        return
      }
      const reply = await answer(frame)
      if (reply && !isClosed()) socket.send(reply, from.port, from.address)
    }
    socket.on('message', (bytes, from) => {
      const key = `${from.address} ${from.port}`
      clearTimeout(timers.get(key))
      const leave = () => {
        clearTimeout(timers.get(key))
        timers.delete(key)
        left(key)
      }
      timers.set(key, startTimeout(leave, quiet))
      if (!clients.has(key)) joined(key, plainAddress(from.address), leave)
      if (waiting >= mostWaiting) return
      waiting++
      last = last
        .then(() => respond(bytes, from))
        .catch((error: unknown) => {
          if (!isClosed()) socket.emit('error', error)
        })
        .finally(() => waiting--)
    })
    const bound = once(socket, 'listening')
    socket.bind(at, host)
    await bound
    socket.on('error', (error: NodeJS.ErrnoException) => onError?.(notListening(error, { host, port })))
    return {
      address: socket.address(),
      end: async () => {
        const closed = once(socket, 'close')
        socket.close()
        await closed
        await last
      },
    }
  }

  async function listenForConnections(): Promise<Listening> {
    const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 }, connected)
    const listening = once(server, 'listening')
    server.listen({ host, port: at })
    await listening
    server.on('error', (error: NodeJS.ErrnoException) => onError?.(notListening(error, { host, port })))
    return {
      address: server.address() as AddressInfo,
      end: async () => {
        const closed = once(server, 'close')
        server.close()
        cut()
        await closed
      },
    }
  }

  const cut = () => {
    connection.abort()
    connection = new AbortController()
    for (const { leave } of [...clients.values()]) leave()
  }
  const listen = async () => {
    const listening = await (transport === 'udp' ? listenForDatagrams() : listenForConnections()).catch(
      (error: unknown) => {
        throw notListening(error as NodeJS.ErrnoException, { host, port: at })
      },
    )
    at = listening.address.port
    return listening
  }
  let listening: Listening | undefined = await listen()
  const leave = async () => {
    const ending = listening
    listening = undefined
    cut()
    await ending?.end()
  }
  return {
    host,
    memory,
    counts,
    get port() {
      return at
    },
    get lastRequest() {
      return lastRequest
    },
    get clients() {
      return addressesOf(clients)
    },
    read: (area, address) => {
      const { device, number } = deviceAt({ area, address }, start)
      return memory.has(device, number) ? memory.read(device, number, 1)[0] : undefined
    },
    set: (items) => {
      for (const { area, address, value } of items) {
        const { device, number } = deviceAt({ area, address }, start)
        if (memory.has(device, number)) memory.write(device, number, [value])
      }
    },
    fail: (changed) => void Object.assign(faults, checkFaults(changed)),
    faults,
    cut,
    restart: async ({ keepsMemory, away = 300 }) => {
      await leave()
      if (!keepsMemory) memory.clear()
      await pauseFor(away, closing.signal)
      // It may have been closed, or restarted once more, in the meantime.
      if (isClosed() || listening) return
      const next = await listen()
      listening = next
      if (isClosed()) await leave()
    },
    close: async () => {
      closing.abort()
      await leave()
    },
  }
}

interface Listening {
  address: AddressInfo
  end: () => Promise<void>
}

const addressesOf = (clients: ReadonlyMap<string, { address: string }>) =>
  [...clients.values()].map(({ address }) => address)
