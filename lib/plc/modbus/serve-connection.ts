import type { Socket } from 'node:net'
import type { PlcError } from '../plc-error'
import { answerBytes, exceptionBytes } from './answers'
import { exceptions, ModbusException } from './exceptions'
import { frameBytes, frameReader, type FrameFault, type ModbusFrame } from './frames'
import type { MemoryOwner, ModbusMemory } from './memory'
import { isBitArea, requestOf, type ModbusArea, type ModbusRequest, type WritableArea } from './requests'
import { modbusError } from './modbus-error'

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
}

/** Answers the requests of one client, each before the next. */
export function serveConnection(
  { socket, address, counts }: Connection,
  { onRequest, memoryOf, uses, onRead, onWrite, onFault }: ConnectionEvents,
): void {
  const framesIn = frameReader()
  socket.on('data', (chunk) => {
    socket.cork()
    for (const frame of framesIn(chunk)) {
      if (socket.destroyed) break
      if ('fault' in frame) {
        counts.faults++
        socket.destroy()
        onFault(notModbus(address, frame))
        break
      }
      counts.requests++
      onRequest()
      socket.write(frameBytes({ ...frame, pdu: answer(frame) }))
    }
    socket.uncork()
    // A client that does not read its answers gets no more of them.
    if (socket.writableNeedDrain) socket.pause()
  })
  socket.on('drain', () => socket.resume())

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
