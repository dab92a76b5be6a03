import { createServer, type Socket } from 'node:net'
import { listening } from '../../support/listening'

/** A request as it came, read without any of our code. */
export interface RawRequest {
  transaction: number
  unit: number
  pdu: Buffer
  socket: Socket
  /** Sends an answer with the transaction and unit of the request, or others. */
  answer: (pdu: readonly number[], other?: { transaction?: number; unit?: number }) => void
}

/** A PLC that does with each request what a test says. */
export async function scriptedPlc(onRequest: (request: RawRequest) => void) {
  const sockets: Socket[] = []
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.push(socket)
    let rest = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 6 && rest.length >= 6 + rest.readUInt16BE(4)) {
        const frame = rest.subarray(0, 6 + rest.readUInt16BE(4))
        rest = rest.subarray(frame.length)
        const [transaction, unit] = [frame.readUInt16BE(0), frame.readUInt8(6)]
        const answer: RawRequest['answer'] = (pdu, other) =>
          socket.write(rawFrame(pdu, { transaction, unit, ...other }))
        onRequest({ transaction, unit, pdu: frame.subarray(7), socket, answer })
      }
    })
  })
  return { ...(await listening(server)), sockets }
}

/** A frame as the specification writes it. */
export function rawFrame(
  pdu: readonly number[],
  { transaction = 1, unit = 1 }: { transaction?: number; unit?: number } = {},
): Buffer {
  const length = pdu.length + 1
  return Buffer.from([transaction >> 8, transaction & 255, 0, 0, length >> 8, length & 255, unit, ...pdu])
}

/** Answers reads of registers with 0 and confirms writes. */
export function obey({ pdu, answer }: RawRequest): void {
  const [code = 0] = pdu
  if (code >= 15) {
    answer([...pdu.subarray(0, 5)])
    return
  }
  if (code >= 5) {
    answer([...pdu])
    return
  }
  const bytes = code <= 2 ? Math.ceil(pdu.readUInt16BE(3) / 8) : pdu.readUInt16BE(3) * 2
  answer([code, bytes, ...Array.from({ length: bytes }, () => 0)])
}

/** A PLC with memory, which keeps what was written in its order. */
export function memoryPlc() {
  const memory = new Map<number, number>()
  const requests: string[] = []
  const respond = (request: RawRequest) => {
    const { pdu, answer } = request
    const [code, address, second] = [pdu.readUInt8(0), pdu.readUInt16BE(1), pdu.readUInt16BE(3)]
    if (code === 3) {
      const values = Array.from({ length: second }, (_, index) => memory.get(address + index) ?? 0)
      answer([3, second * 2, ...values.flatMap((value) => [value >> 8, value & 255])])
      return
    }
    const values =
      code === 6 ? [second] : Array.from({ length: second }, (_, index) => pdu.readUInt16BE(6 + index * 2))
    requests.push(`${address}=${values.join(',')}`)
    values.forEach((value, index) => memory.set(address + index, value))
    obey(request)
  }
  return { memory, requests, respond }
}
