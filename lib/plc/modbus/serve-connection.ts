import type { Socket } from 'node:net'
import type { PlcError } from '../plc-error'
import { answerBytes, exceptionBytes } from './answers'
import { exceptions, ModbusException } from './exceptions'
import { frameBytes, frameReader, type FrameFault, type ModbusFrame } from './frames'
import type { ModbusMemory } from './memory'
import { requestOf, type ModbusRequest, type WritableArea } from './requests'
import { modbusError } from './modbus-error'

/** What a client wrote with one request. */
export interface ServedWrite {
  area: WritableArea
  address: number
  values: readonly number[]
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
  /** Connections closed because what came was not Modbus TCP. */
  faults: number
}

interface Connection {
  socket: Socket
  /** Of the client. */
  address: string
  unit: number
  memory: ModbusMemory
  counts: ServerCounts
}

interface ConnectionEvents {
  onRequest: () => void
  onWrite: (write: ServedWrite) => void
  onFault: (error: PlcError) => void
}

/** Answers the requests of one client, each before the next. */
export function serveConnection(
  { socket, address, unit, memory, counts }: Connection,
  { onRequest, onWrite, onFault }: ConnectionEvents,
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

  function answer({ unit: asked, pdu }: ModbusFrame): Buffer {
    try {
      if (asked !== unit && asked !== 0 && asked !== 255) throw new ModbusException(exceptions.noSuchUnit)
      const request = requestOf(pdu)
      return answerBytes(request, pdu, serve(request))
    } catch (error) {
      counts.exceptions++
      const { exception } = error instanceof ModbusException ? error : { exception: exceptions.deviceFailure }
      if (!(error instanceof ModbusException)) onFault(notServed(address, error))
      return exceptionBytes(pdu.readUInt8(0), exception)
    }
  }

  function serve(request: ModbusRequest): number[] {
    if (request.kind === 'read') return memory.read(request.area, request.address, request.count)
    if (request.kind === 'write') {
      write(request.area, request)
      return []
    }
    // Nothing may be written where the reading fails.
    memory.read('registers', request.read.address, request.read.count)
    write('registers', request.write)
    return memory.read('registers', request.read.address, request.read.count)
  }

  function write(area: WritableArea, items: { address: number; values: readonly number[] }): void {
    memory.write(area, items.address, items.values)
    counts.writes++
    onWrite({ area, address: items.address, values: items.values, client: address })
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
