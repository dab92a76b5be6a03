import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { plainAddress } from '../../hosts/allowed-hosts'
import { closeServer, listen, notListening } from './listen'
import { ModbusMemory, type MemoryOwner } from './memory'
import { serveConnection, type ServerCounts } from './serve-connection'
import { modbusError } from './modbus-error'
import type { PlcError } from '../plc-error'
import type { StationPart } from './station-part'

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
export class ModbusStation {
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

/** Only parts own memory here. */
const partOf = (owner: MemoryOwner) => owner as StationPart
