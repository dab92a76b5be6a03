import { once } from 'node:events'
import { type AddressInfo, createServer, isIP, type Server, type Socket } from 'node:net'
import { allowedHosts, NotAHost, plainAddress } from '../../hosts/allowed-hosts'
import { checkOption, isWholeWithin, isWithin, type PlcError } from '../plc-error'
import type { SharedArea } from '../rows'
import { modbusError, type ModbusRequest, requestOf, type WritableArea } from './frames'
import {
  type MemoryOwner,
  type ModbusBlock,
  type ModbusBlocks,
  ModbusMemory,
  serveConnection,
  type ServedRead,
  type ServedWrite,
  type ServerCounts,
} from './serve-connection'

/** A Modbus TCP server that has the registers and coils of a map. */
export interface ModbusServer {
  readonly host: string
  readonly port: number
  /** Of all who share the server. */
  readonly counts: Readonly<ServerCounts>
  /** `performance.now()` of the last request; `-Infinity` before the first. */
  readonly lastRequest: number
  /** Addresses of the connected clients. */
  readonly clients: readonly string[]
  /** Sets items all at once: no read sees a part of them. Items that do not exist are left out. */
  set: (items: Iterable<{ area: SharedArea; address: number; value: number }>) => void
  /** The items as they are now. @throws ModbusException where one does not exist */
  read: (area: WritableArea, address: number, count: number) => number[]
  /** Leaves; the last one ends all connections. Resolves when nothing is left. */
  close: () => Promise<void>
}

/** Servers that may be shared, by address and port; those that are being closed, too. */
const stations = new Map<string, Promise<ModbusStation>>()

const closing = new Map<string, Promise<void>>()

/**
 * Starts a Modbus TCP server. Several on one address and port share it: each has a unit of its own, or registers and coils
 * that no other one of its unit has. A connection is a client of those that it asks, and of the only one from the beginning.
 * @throws PlcError `INVALID_INPUT` for an option, registers or coils that another has, or a port that is taken, below 1024
 * without the right, or not ours
 */
export async function startModbusServer(
  options: ModbusServerOptions,
  events: ModbusServerEvents,
): Promise<ModbusServer> {
  const settings = serverSettings(options)
  const part = new StationPart(settings, events)
  const { host, port } = settings
  const key = `${host} ${port}`
  for (;;) {
    await closing.get(key)
    const opening = stations.get(key) ?? ModbusStation.open(settings)
    // Each server on any free port is one of its own.
    if (port !== 0) stations.set(key, opening)
    const station = await opening.catch((error: unknown) => {
      if (stations.get(key) === opening) stations.delete(key)
      throw error
    })
    // The last one may have left while this one waited.
    if (port !== 0 && stations.get(key) !== opening) continue
    return joined(station, part, key)
  }
}

function joined(station: ModbusStation, part: StationPart, key: string): ModbusServer {
  const { address: host, port } = station.address
  const memory = station.join(part)
  if (!memory)
    throw modbusError({ code: 'INVALID_INPUT', key: 'modbus-block-taken', values: { port, unit: part.unit } })
  let leaving: Promise<void> | undefined
  const leave = async () => {
    station.leave(part)
    if (!station.isEmpty) return
    const closed = station.close()
    if (stations.delete(key)) closing.set(key, closed)
    await closed
    if (closing.get(key) === closed) closing.delete(key)
  }
  return {
    host,
    port,
    counts: station.counts,
    get lastRequest() {
      return part.lastRequest
    },
    get clients() {
      return part.clients
    },
    set: (items) => {
      for (const { area, address, value } of items) memory.set(area, address, value, part)
    },
    read: (area, address, count) => memory.read(area, address, count),
    close: () => (leaving ??= leave()),
  }
}

/** Where a server listens, to whom, and what it has. */
export interface ModbusServerOptions {
  /** Own address to listen on; `0.0.0.0` and `::` are all. @default '127.0.0.1' */
  host?: string
  /** 0 is any that is free. @default 1502 */
  port?: number
  /** Further unit ids than 0 and 255, which mean the server itself, are answered with exception 11. @default 1 */
  unit?: number
  /** Addresses, or networks such as `192.168.0.0/24`, that may connect. @default this computer alone */
  allow?: readonly string[]
  /** Registers and coils that exist; for every other address the answer is exception 2. */
  blocks: ModbusBlocks
  /** Connections at a time. A further one takes the place of one that asked or wrote nothing; a PLC at work stays. @default 8 */
  connections?: number
  /** Milliseconds without a request after which a connection is closed. @default 60000 */
  idle?: number
}

const thisComputer = ['127.0.0.0/8', '::1']

/** The options with their defaults. @throws PlcError `INVALID_INPUT` */
function serverSettings({
  host = '127.0.0.1',
  port = 1502,
  unit = 1,
  allow = thisComputer,
  blocks,
  connections = 8,
  idle = 60_000,
}: ModbusServerOptions): Required<ModbusServerOptions> {
  checkOption('host', host, isIP(host) > 0, 'an IP address of this computer, such as 127.0.0.1')
  checkOption('port', port, isWholeWithin(port, 0, 65_535), '0 to 65535')
  checkOption('unit', unit, isWholeWithin(unit, 0, 255), '0 to 255')
  checkOption('connections', connections, isWholeWithin(connections, 1, 1000), '1 to 1000')
  checkOption('idle', idle, isWithin(idle, 100, 86_400_000), '100 ms to 24 h')
  for (const block of [...(blocks.registers ?? []), ...(blocks.coils ?? [])]) checkBlock(block)
  return { host, port, unit, allow, blocks, connections, idle }
}

function checkBlock({ address, count }: ModbusBlock): void {
  checkOption('address', address, isWholeWithin(address, 0, 65_535), '0 to 65535')
  checkOption('count', count, isWholeWithin(count, 1, 65_536 - address), `1 to ${65_536 - address}`)
}

interface StationSettings {
  host: string
  port: number
  connections: number
  idle: number
}

/** A client that is connected, and the parts that it has asked, the last one last. */
interface Client {
  /** 1, 2, … of the server. */
  number: number
  address: string
  asked: Set<StationPart>
  /** It has written: a PLC at work, and not somebody who looks on or says nothing. */
  hasWritten: boolean
  /** `performance.now()` of the last request, or of the connection. */
  heardAt: number
}

/** Milliseconds after which a PLC that has written gives way to another one. */
const longSilence = 10_000

/** Faults of clients that are reported, each once for each address. */
const mostReported = 100

/** One listening Modbus TCP server with the registers and coils of one or several parts. */
class ModbusStation {
  readonly counts: ServerCounts = {
    requests: 0,
    writes: 0,
    exceptions: 0,
    refused: 0,
    displaced: 0,
    turnedAway: 0,
    faults: 0,
  }
  readonly #server: Server
  readonly #settings: StationSettings
  readonly #units = new Map<number, ModbusMemory>()
  readonly #parts = new Set<StationPart>()
  readonly #reported = new Set<string>()
  /** In the order of their last requests. */
  readonly #clients = new Map<Socket, Client>()
  /** There have been several parts at a time: a connection is that of a part only once it has asked it. */
  #isShared = false
  /** How many there have been. */
  #connections = 0
  #closing: Promise<void> | undefined

  private constructor(settings: StationSettings) {
    this.#settings = settings
    const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 }
    this.#server = createServer(options, (socket) => this.#connected(socket))
  }

  /** @throws PlcError where it cannot listen */
  static async open(settings: StationSettings): Promise<ModbusStation> {
    const station = new ModbusStation(settings)
    await listen(station.#server, settings)
    station.#server.on('error', (error: NodeJS.ErrnoException) => {
      for (const part of station.#parts) part.failed(notListening(error, settings))
    })
    return station
  }

  get address(): AddressInfo {
    return this.#server.address() as AddressInfo
  }

  get isEmpty(): boolean {
    return this.#parts.size === 0
  }

  /** @returns the memory of its unit; undefined where another part of the unit has one of its registers or coils */
  join(part: StationPart): ModbusMemory | undefined {
    const memory = this.#units.get(part.unit) ?? new ModbusMemory()
    if (!memory.add(part.blocks, part)) return undefined
    this.#units.set(part.unit, memory)
    this.#parts.add(part)
    if (this.#parts.size > 1) this.#isShared = true
    this.#tellClients()
    return memory
  }

  leave(part: StationPart): void {
    this.#parts.delete(part)
    const memory = this.#units.get(part.unit)
    memory?.remove(part)
    if (memory?.isEmpty) this.#units.delete(part.unit)
    for (const { asked } of this.#clients.values()) asked.delete(part)
    this.#tellClients()
  }

  close(): Promise<void> {
    return (this.#closing ??= closeServer(this.#server, this.#clients.keys()))
  }

  #connected(socket: Socket): void {
    // A connection may be gone before it is looked at.
    socket.on('error', () => socket.destroy())
    const address = plainAddress(socket.remoteAddress ?? '')
    if (![...this.#parts].some((part) => part.isAllowed(address))) {
      this.counts.refused++
      socket.destroy()
      for (const part of this.#parts) part.refused(address)
      return
    }
    if (!this.#hasRoom(address)) {
      this.counts.turnedAway++
      socket.destroy()
      const { connections, port } = this.#settings
      const values = { client: address, connections, port }
      this.#failed(address, modbusError({ code: 'BUSY', key: 'modbus-no-room', values }))
      return
    }
    const client: Client = {
      number: ++this.#connections,
      address,
      asked: new Set(),
      hasWritten: false,
      heardAt: performance.now(),
    }
    this.#clients.set(socket, client)
    socket.setTimeout(this.#settings.idle, () => socket.destroy())
    socket.once('close', () => {
      if (this.#clients.delete(socket)) this.#tellClients()
    })
    this.#tellClients()
    serveConnection(
      { socket, address, counts: this.counts },
      {
        onRequest: () => {
          client.heardAt = performance.now()
          this.#clients.delete(socket)
          this.#clients.set(socket, client)
        },
        memoryOf: (unit) => this.#memoryOf(unit),
        uses: (owner) => this.#uses(client, owner),
        onRead: (read, owner) => partOf(owner).read(read),
        onWrite: (write, owner) => {
          client.hasWritten = true
          partOf(owner).written(write, client.number)
        },
        onFault: (error) => this.#failed(address, error, client.asked),
        onMismatch: (unit, pdu) => this.#mismatched(client, unit, pdu),
      },
    )
  }

  /**
   * A further connection takes the place of the one that has been silent for longest: of those that asked nothing, then of
   * those that never wrote, then of those from its own address, which a PLC that restarted has left. A PLC at work stays: nobody
   * takes its place by connecting alone.
   * @returns false where nobody gives way
   */
  #hasRoom(address: string): boolean {
    if (this.#clients.size < this.#settings.connections) return true
    const clients = [...this.#clients]
    const now = performance.now()
    const [socket] =
      clients.find(([, { asked }]) => asked.size === 0) ??
      clients.find(([, { hasWritten }]) => !hasWritten) ??
      clients.find(([, other]) => other.address === address) ??
      clients.find(([, { heardAt }]) => now - heardAt > longSilence) ??
      []
    if (!socket) return false
    this.counts.displaced++
    socket.destroy()
    this.#clients.delete(socket)
    return true
  }

  /** Told once for each address and cause, to the handshake that the client asked last, or else to the first that allows it. */
  #failed(address: string, error: PlcError, asked: Iterable<StationPart> = []): void {
    const key = `${address} ${error.key}`
    if (this.#reported.has(key) || this.#reported.size === mostReported) return
    this.#reported.add(key)
    const part = [...asked].at(-1) ?? [...this.#parts].find((each) => each.isAllowed(address))
    part?.failed(error)
  }

  /** Reports what a client asks for and does not get, with what there is. */
  #mismatched(client: Client, unit: number, pdu: Buffer): void {
    const asking = { client: client.address, unit, function: pdu.readUInt8(0) }
    const memory = this.#memoryOf(unit)
    if (!memory) {
      const units = [...this.#units.keys()].sort((one, other) => one - other).join(', ')
      const values = { ...asking, units }
      this.#failed(client.address, modbusError({ code: 'INVALID_INPUT', key: 'modbus-client-unit', values }))
      return
    }
    const request = requestOf(pdu)
    const { area, address, count, writes } = lackingIn(request, memory)
    const isThere = memory.has(area, address, count)
    // Addresses that exist, and may be written, are those of another part: it reports a host that it refuses.
    if (isThere && (!writes || memory.has(area, address, count, true))) return
    const base = isThere ? undefined : addressBases.find((each) => memory.has(area, address - each, count))
    const values = {
      ...asking,
      first: address,
      last: address + count - 1,
      available: memory.available(area, isThere),
      ...(base !== undefined && { base }),
    }
    const key = isThere
      ? 'modbus-client-read-only'
      : base === undefined
        ? 'modbus-client-address'
        : 'modbus-client-shifted'
    this.#failed(client.address, modbusError({ code: 'INVALID_INPUT', key, values }), client.asked)
  }

  /** 0 and 255 mean the server itself: its unit, where it has one. */
  #memoryOf(unit: number): ModbusMemory | undefined {
    const own = this.#units.get(unit)
    if (own || (unit !== 0 && unit !== 255) || this.#units.size > 1) return own
    const [only] = this.#units.values()
    return only
  }

  #uses(client: Client, owner: MemoryOwner): boolean {
    const part = partOf(owner)
    // The lists are looked through once for each connection: this is called for each request.
    if (!client.asked.has(part) && !part.isAllowed(client.address)) {
      this.counts.refused++
      part.refused(client.address)
      return false
    }
    part.asked()
    const isNew = !client.asked.has(part)
    if (!isNew) client.asked.delete(part)
    client.asked.add(part)
    if (isNew && this.#isShared) this.#tellClients()
    return true
  }

  #tellClients(): void {
    const clients = [...this.#clients.values()]
    for (const part of this.#parts)
      part.connected(
        clients
          .filter(({ address, asked }) => (this.#isShared ? asked.has(part) : part.isAllowed(address)))
          .map(({ address }) => address),
      )
  }
}

/** Where the addresses of some PLCs and their manuals start: 1, or the number of the area before it. */
const addressBases = [1, 40_001, 30_001, 10_001, 40_000, 30_000, 10_000] as const

/** The items of a request that a client did not get. */
function lackingIn(request: ModbusRequest, memory: ModbusMemory) {
  if (request.kind === 'read') return { ...request, writes: false }
  const written = request.kind === 'write' ? request : { ...request.write, area: 'registers' as const }
  const write = { area: written.area, address: written.address, count: written.values.length, writes: true }
  if (request.kind === 'write') return write
  const read = { area: 'registers' as const, ...request.read, writes: false }
  return memory.has(read.area, read.address, read.count) ? write : read
}

/** Only parts own memory here. */
const partOf = (owner: MemoryOwner) => owner as StationPart

/** What a server tells, each at once and in order. */
export interface ModbusServerEvents {
  /** A client wrote, by that connection of the server: 1, 2, … The answer goes out after this returns: what is set here, the client's next read shows. */
  onWrite: (write: ServedWrite, connection: number) => void
  /** A client has read. What is set here, it has not got yet. */
  onRead?: (read: ServedRead) => void
  /** Addresses of the connected clients, whenever they changed. */
  onClients?: (clients: readonly string[]) => void
  /** A host that is not allowed tried to connect. */
  onRefused?: (address: string) => void
  /** What a client sent cannot be read; its connection is closed. Or the server listens no more. */
  onError?: (error: PlcError) => void
}

interface PartOptions {
  unit: number
  allow: readonly string[]
  blocks: ModbusBlocks
}

/** The registers and coils of one user of a server, and who may use them. */
class StationPart {
  readonly unit: number
  readonly blocks: ModbusBlocks
  readonly isAllowed: (address: string) => boolean
  clients: readonly string[] = []
  /** `performance.now()` of the last request; `-Infinity` before the first. */
  lastRequest = -Infinity
  readonly #events: ModbusServerEvents

  /** @throws PlcError `INVALID_INPUT` for an address that is none */
  constructor({ unit, allow, blocks }: PartOptions, events: ModbusServerEvents) {
    this.unit = unit
    this.blocks = blocks
    this.isAllowed = allowed(allow)
    this.#events = events
  }

  asked(): void {
    this.lastRequest = performance.now()
  }

  read(read: ServedRead): void {
    this.#events.onRead?.(read)
  }

  written(write: ServedWrite, connection: number): void {
    this.#events.onWrite(write, connection)
  }

  connected(clients: readonly string[]): void {
    const isSame =
      clients.length === this.clients.length && clients.every((each, place) => each === this.clients[place])
    this.clients = clients
    if (!isSame) this.#events.onClients?.(clients)
  }

  refused(address: string): void {
    this.#events.onRefused?.(address)
  }

  failed(error: PlcError): void {
    this.#events.onError?.(error)
  }
}

/** @throws PlcError `INVALID_INPUT` */
function allowed(allow: readonly string[]): (address: string) => boolean {
  try {
    return allowedHosts(allow)
  } catch (error) {
    if (error instanceof NotAHost)
      checkOption(
        'allow',
        error.entry,
        false,
        'an IP address such as 192.168.0.10, or a network such as 192.168.0.0/24',
      )
    throw error
  }
}

interface Place {
  host: string
  port: number
}

/** @throws PlcError `INVALID_INPUT` for a port that is taken, below 1024 without the right, or not ours */
async function listen(server: Server, { host, port }: Place): Promise<void> {
  const listening = once(server, 'listening')
  server.listen({ host, port })
  try {
    await listening
  } catch (error) {
    throw notListening(error as NodeJS.ErrnoException, { host, port })
  }
}

/** Ends all connections, and resolves when nothing is left. */
async function closeServer(server: Server, sockets: Iterable<Socket>): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  for (const socket of sockets) socket.destroy()
  await closed
}

export function notListening({ code, message }: NodeJS.ErrnoException, { host, port }: Place): PlcError {
  const reason = code ?? message
  const key =
    reason === 'EADDRINUSE'
      ? 'modbus-port-taken'
      : reason === 'EACCES'
        ? 'modbus-port-reserved'
        : reason === 'EADDRNOTAVAIL'
          ? 'modbus-own-address'
          : 'modbus-not-listening'
  return modbusError({ code: 'INVALID_INPUT', key, values: { host, port, reason }, cause: { reason } })
}
