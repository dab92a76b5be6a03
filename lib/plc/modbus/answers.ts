import { ModbusException } from './exceptions'
import { bitBytes, bitsOf, functionCode, isBitArea, wordsOf, type ModbusRequest } from './requests'

/** Added to the function code where the answer is an exception. */
const exceptionFlag = 0x80

/** The PDU that answers a request. @param values what was read; nothing for a write */
export function answerBytes(request: ModbusRequest, pdu: Buffer, values: readonly number[]): Buffer {
  // A write is answered with its own address and its own value or count.
  if (request.kind === 'write') return pdu.subarray(0, 5)
  const isBits = request.kind === 'read' && isBitArea(request.area)
  const bytes = Buffer.allocUnsafe(2 + (isBits ? Math.ceil(values.length / 8) : values.length * 2))
  bytes[0] = functionCode(request)
  bytes[1] = bytes.length - 2
  if (isBits) bitBytes(values).copy(bytes, 2)
  else values.forEach((value, index) => bytes.writeUInt16BE(value, 2 + index * 2))
  return bytes
}

/** The PDU that refuses a request of that function code. */
export const exceptionBytes = (code: number, exception: number): Buffer =>
  Buffer.of((code & 0x7f) | exceptionFlag, exception)

/**
 * What an answer brings: the items that were read, nothing for a write.
 * @returns undefined where the answer does not belong to the request
 * @throws ModbusException
 */
export function answerOf(request: ModbusRequest, pdu: Buffer): number[] | undefined {
  const code = functionCode(request)
  if (pdu[0] === (code | exceptionFlag) && pdu.length === 2) throw new ModbusException(pdu.readUInt8(1))
  if (pdu[0] !== code) return undefined
  if (request.kind === 'write') return echoes(request, pdu) ? [] : undefined
  const count = request.kind === 'read' ? request.count : request.read.count
  const isBits = request.kind === 'read' && isBitArea(request.area)
  const length = isBits ? Math.ceil(count / 8) : count * 2
  if (pdu[1] !== length || pdu.length !== 2 + length) return undefined
  const items = pdu.subarray(2)
  return isBits ? bitsOf(items, count) : wordsOf(items)
}

/** Where it was written, and what or how many; PLCs that repeat more than that are believed. */
function echoes({ area, address, values }: ModbusRequest & { kind: 'write' }, pdu: Buffer): boolean {
  if (pdu.length < 5 || pdu.readUInt16BE(1) !== address) return false
  const said = pdu.readUInt16BE(3)
  if (values.length > 1) return said === values.length
  return area === 'coils' ? said > 0 === Boolean(values[0]) : said === values[0]
}
