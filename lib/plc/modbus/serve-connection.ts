import type { Socket } from 'node:net'
import { serveSocket } from '../../kernel/serve-socket'
import { isBitArea } from '../data/map'
import type { PlcError } from '../plc-error'
import type { SharedArea } from '../rows'
import {
  answerBytes,
  exceptionBytes,
  exceptions,
  frameBytes,
  type FrameFault,
  frameReader,
  type ModbusArea,
  modbusError,
  ModbusException,
  type ModbusFrame,
  type ModbusRequest,
  requestOf,
  type WritableArea,
} from './frames'

/** What a client wrote with one request. */
export interface ServedWrite {
  area: WritableArea
  address: number
  values: readonly number[]
  /** Address of the client. */
  client: string
}

/** What a client has read. */
export interface ServedRead {
  area: WritableArea
  address: number
  count: number
  /** Address of the client. */
  client: string
}

/** How often what has happened since the start. */
export interface ServerCounts {
  requests: number
  /** Requests that wrote. */
  writes: number
  /** Requests that were answered with an exception. */
  exceptions: number
  /** Connections of hosts that are not allowed. */
  refused: number
  /** Connections that gave way to a further one. */
  displaced: number
  /** Further connections, while PLCs at work had all places. */
  turnedAway: number
  /** Connections closed because what came was not Modbus TCP. */
  faults: number
}

interface Connection {
  socket: Socket
  /** Of the client. */
  address: string
  counts: ServerCounts
}

interface ConnectionEvents {
  onRequest: () => void
  /** Undefined where there is no such unit. */
  memoryOf: (unit: number) => ModbusMemory | undefined
  /** Called for each owner of what a request asks for. @returns whether it exists for this client */
  uses: (owner: MemoryOwner) => boolean
  /** Called for each owner of what was read. */
  onRead: (read: ServedRead, owner: MemoryOwner) => void
  /** Called for each owner of what was written. */
  onWrite: (write: ServedWrite, owner: MemoryOwner) => void
  onFault: (error: PlcError) => void
  /** A client has asked for a unit, or for addresses, that it does not get. */
  onMismatch: (unit: number, pdu: Buffer) => void
}

/** Answers the requests of one client, each before the next, and one in each turn of the event loop. */
export function serveConnection(
  { socket, address, counts }: Connection,
  { onRequest, memoryOf, uses, onRead, onWrite, onFault, onMismatch }: ConnectionEvents,
): void {
  const framesIn = frameReader()
  const chunks: Buffer[] = []
  let frames: ReturnType<typeof framesIn> | undefined
  serveSocket<ModbusFrame | FrameFault>(socket, {
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
    answer: (frame) => {
      if ('fault' in frame) {
        counts.faults++
        socket.destroy()
        onFault(notModbus(address, frame))
        return
      }
      counts.requests++
      onRequest()
      socket.write(frameBytes({ ...frame, pdu: answer(frame) }))
    },
  })

  function answer({ unit, pdu }: ModbusFrame): Buffer {
    try {
      const memory = memoryOf(unit)
      if (!memory) throw new ModbusException(exceptions.noSuchUnit)
      const request = requestOf(pdu)
      return answerBytes(request, pdu, serve(request, memory))
    } catch (error) {
      counts.exceptions++
      const { exception } = error instanceof ModbusException ? error : { exception: exceptions.deviceFailure }
      if (!(error instanceof ModbusException)) onFault(notServed(address, error))
      if (exception === exceptions.noSuchUnit || exception === exceptions.illegalAddress)
        onMismatch(unit, pdu)
      return exceptionBytes(pdu.readUInt8(0), exception)
    }
  }

  function serve(request: ModbusRequest, memory: ModbusMemory): number[] {
    if (request.kind === 'read') return read(memory, request.area, request)
    if (request.kind === 'write') {
      write(memory, request.area, request)
      return []
    }
    // Nothing may be written where the reading fails.
    memory.read('registers', request.read.address, request.read.count, uses)
    write(memory, 'registers', request.write)
    return read(memory, 'registers', request.read)
  }

  function read(
    memory: ModbusMemory,
    area: ModbusArea,
    { address: first, count }: { address: number; count: number },
  ): number[] {
    const owners = new Set<MemoryOwner>()
    const values = memory.read(area, first, count, (owner) => {
      const may = uses(owner)
      if (may) owners.add(owner)
      return may
    })
    const items = { area: isBitArea(area) ? 'coils' : 'registers', address: first, count } as const
    for (const owner of owners) onRead({ ...items, client: address }, owner)
    return values
  }

  function write(
    memory: ModbusMemory,
    area: WritableArea,
    items: { address: number; values: readonly number[] },
  ): void {
    const owners: MemoryOwner[] = []
    memory.write(area, items.address, items.values, (owner) => {
      const may = uses(owner)
      if (may && !owners.includes(owner)) owners.push(owner)
      return may
    })
    counts.writes++
    for (const owner of owners)
      onWrite({ area, address: items.address, values: items.values, client: address }, owner)
  }
}

const notModbus = (client: string, { fault, found }: FrameFault) =>
  modbusError({ code: 'BAD_REPLY', key: `modbus-client-${fault}`, values: { client, found } })

const notServed = (client: string, error: unknown) =>
  modbusError({
    code: 'INTERNAL',
    key: 'modbus-not-served',
    values: { client, reason: error instanceof Error ? error.message : String(error) },
  })

/** Items beside each other that exist. Addresses count from 0. */
export interface ModbusBlock {
  address: number
  count: number
  /** Clients may write them. @default false */
  writable?: boolean
}

/** What a server has, and nothing else. */
export interface ModbusBlocks {
  registers?: readonly ModbusBlock[]
  coils?: readonly ModbusBlock[]
}

/** Whose items they are; compared by identity. */
export type MemoryOwner = object

interface Item {
  value: number
  writable: boolean
  owner: MemoryOwner
}

/** Called for each owner of the items of a request. @returns whether the items exist for whoever asks */
type Uses = (owner: MemoryOwner) => boolean

const anybody = () => true

/** The registers and coils of one unit, all 0 at first. They can be read as inputs too. */
export class ModbusMemory {
  private readonly items: Record<WritableArea, Map<number, Item>> = { registers: new Map(), coils: new Map() }

  /** Whether there is nothing. */
  get isEmpty(): boolean {
    return this.items.registers.size === 0 && this.items.coils.size === 0
  }

  /** Adds the items of an owner: all, or none where one exists already. @returns whether they were added */
  add({ registers = [], coils = [] }: ModbusBlocks, owner: MemoryOwner): boolean {
    const added = { registers: itemsOf(registers, owner), coils: itemsOf(coils, owner) }
    const areas = ['registers', 'coils'] as const
    if (areas.some((area) => [...added[area].keys()].some((address) => this.items[area].has(address))))
      return false
    for (const area of areas) for (const [address, item] of added[area]) this.items[area].set(address, item)
    return true
  }

  /** Removes everything of an owner. */
  remove(owner: MemoryOwner): void {
    for (const items of Object.values(this.items))
      for (const [address, item] of items) if (item.owner === owner) items.delete(address)
  }

  /** @throws ModbusException where one of the items does not exist */
  read(area: ModbusArea, address: number, count: number, uses: Uses = anybody): number[] {
    const values: number[] = []
    this.each(area, address, count, uses, ({ value }) => values.push(value))
    return values
  }

  /** Writes what a client sent: all or nothing. @throws ModbusException where one does not exist, or is not its own */
  write(area: WritableArea, address: number, values: readonly number[], uses: Uses = anybody): void {
    const items: Item[] = []
    this.each(area, address, values.length, uses, (item) => items.push(item))
    if (!items.every(({ writable }) => writable)) throw new ModbusException(exceptions.illegalAddress)
    items.forEach((item, index) => (item.value = values[index] ?? 0))
  }

  /** Whether all of these exist, and a client may write them. */
  has(area: ModbusArea, address: number, count: number, writable = false): boolean {
    const items = this.items[isBitArea(area) ? 'coils' : 'registers']
    return Array.from({ length: count }, (_, offset) => items.get(address + offset)).every(
      (item) => item && (item.writable || !writable),
    )
  }

  /** What exists, or what a client may write, as in `0–12, 20–28`. */
  available(area: ModbusArea, writable = false): string {
    const items = [...this.items[isBitArea(area) ? 'coils' : 'registers']]
    const ranges: [number, number][] = []
    for (const [address] of items
      .filter(([, item]) => item.writable || !writable)
      .sort(([a], [b]) => a - b)) {
      const last = ranges.at(-1)
      if (last?.[1] === address - 1) last[1] = address
      else ranges.push([address, address])
    }
    return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ') || '–'
  }

  /** Sets an item that exists and is the owner's; the others do not change. */
  set(area: SharedArea, address: number, value: number, owner: MemoryOwner): void {
    const item = this.items[isBitArea(area) ? 'coils' : 'registers'].get(address)
    if (item?.owner === owner) item.value = value
  }

  private each(
    area: ModbusArea,
    address: number,
    count: number,
    uses: Uses,
    take: (item: Item) => void,
  ): void {
    const items = this.items[isBitArea(area) ? 'coils' : 'registers']
    let last: MemoryOwner | undefined
    for (let at = address; at < address + count; at++) {
      const item = items.get(at)
      if (!item || (item.owner !== last && !uses(item.owner)))
        throw new ModbusException(exceptions.illegalAddress)
      last = item.owner
      take(item)
    }
  }
}

const itemsOf = (blocks: readonly ModbusBlock[], owner: MemoryOwner): Map<number, Item> =>
  new Map(
    blocks.flatMap(({ address, count, writable = false }) =>
      Array.from({ length: count }, (_, index) => [address + index, { value: 0, writable, owner }] as const),
    ),
  )
