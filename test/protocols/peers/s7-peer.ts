import type { Socket } from 'node:net'
import { tcpPeer } from './tcp-peer'
import { wordMemory, type PlcPeer } from './peer'

/**
 * An S7 controller as far as the nodes of `node-red-contrib-s7` need it: connection, size of a request, reading and writing of
 * DB1. Those nodes bring their own implementation of the protocol.
 */
export function s7Peer(port: number): PlcPeer {
  const { bytes, ...memory } = wordMemory()
  return { ...tcpPeer(port, (socket) => serve(socket, bytes)), ...memory }
}

function serve(socket: Socket, memory: Buffer): void {
  let waiting = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
    while (waiting.length >= 4 && waiting.length >= waiting.readUInt16BE(2)) {
      const length = waiting.readUInt16BE(2)
      const answer = answerTo(waiting.subarray(4, length), memory)
      if (answer) socket.write(Buffer.concat([header(answer.length + 4), answer]))
      waiting = waiting.subarray(length)
    }
  })
}

/** RFC 1006. */
const header = (length: number) => Buffer.of(3, 0, length >> 8, length & 255)

const kinds = { connect: 0xe0, data: 0xf0 } as const
const functions = { setup: 0xf0, read: 4, write: 5 } as const

function answerTo(request: Buffer, memory: Buffer): Buffer | undefined {
  if (request[1] === kinds.connect) {
    const confirmed = Buffer.from(request)
    confirmed[1] = 0xd0
    // The caller's reference comes back as the destination.
    request.copy(confirmed, 2, 4, 6)
    confirmed.writeUInt16BE(1, 4)
    return confirmed
  }
  if (request[1] !== kinds.data) return undefined
  const message = request.subarray(3)
  const parameterLength = message.readUInt16BE(6)
  const parameters = message.subarray(10, 10 + parameterLength)
  const data = message.subarray(10 + parameterLength)
  switch (parameters[0]) {
    case functions.setup:
      return answer(message, Buffer.of(functions.setup, 0, 0, 1, 0, 1, 0, 240), Buffer.alloc(0))
    case functions.read:
      return answer(message, parameters.subarray(0, 2), readAll(itemsOf(parameters), memory))
    case functions.write:
      return answer(message, parameters.subarray(0, 2), writeAll(itemsOf(parameters), data, memory))
    default:
      return undefined
  }
}

function answer(request: Buffer, parameters: Buffer, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt8(0x32, 0)
  head.writeUInt8(3, 1)
  request.copy(head, 4, 4, 6)
  head.writeUInt16BE(parameters.length, 6)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([Buffer.of(2, kinds.data, 0x80), head, parameters, data])
}

interface Item {
  start: number
  length: number
}

/** Bytes of each type that a request can name. */
const sizes: Readonly<Partial<Record<number, number>>> = { 2: 1, 3: 1, 4: 2, 5: 2, 6: 4, 7: 4, 8: 4 }

const itemsOf = (parameters: Buffer): Item[] =>
  Array.from({ length: parameters[1] ?? 0 }, (_, index) => {
    const item = parameters.subarray(2 + 12 * index, 14 + 12 * index)
    const address = item.readUIntBE(9, 3)
    return { start: address >> 3, length: item.readUInt16BE(4) * (sizes[item[3] ?? 0] ?? 1) }
  })

/** Each value but the last has an even number of bytes. */
function readAll(items: readonly Item[], memory: Buffer): Buffer {
  return Buffer.concat(
    items.flatMap(({ start, length }, index) => {
      const value = memory.subarray(start, start + length)
      const fill = length % 2 === 1 && index < items.length - 1 ? 1 : 0
      const bits = length * 8
      return [Buffer.of(0xff, 4, bits >> 8, bits & 255), value, Buffer.alloc(fill)]
    }),
  )
}

function writeAll(items: readonly Item[], data: Buffer, memory: Buffer): Buffer {
  let at = 0
  for (const { start, length } of items) {
    data.copy(memory, start, at + 4, at + 4 + length)
    at += 4 + length + (length % 2)
  }
  return Buffer.alloc(items.length, 0xff)
}
