/** What a CPU says of itself: its system status list, as far as it has one. */
import { dataBytes, good, kinds, type S7Telegram } from './frames'

/** Lists of it. */
export const identityLists = {
  /** Order number. */
  module: { list: 0x0011, index: 0 },
  /** Names and the serial number. */
  component: { list: 0x001c, index: 0 },
  /** Protection level. */
  protection: { list: 0x0232, index: 4 },
} as const

/** CPU functions, reading of the list. */
const question = [0, 1, 0x12, 4, 0x11, 0x44, 1, 0] as const
const answer = [0, 1, 0x12, 8, 0x12, 0x84, 1] as const

export function identityBytes(sequence: number, { list, index }: { list: number; index: number }): Buffer {
  const data = Buffer.of(good, 9, 0, 4, list >> 8, list & 255, index >> 8, index & 255)
  return dataBytes({ kind: kinds.userData, sequence, parameter: Buffer.from(question), data })
}

/** Which list a telegram asks for; undefined where it asks for something else. */
export function identityAsked({ kind, parameter, data }: S7Telegram) {
  const isQuestion = kind === kinds.userData && parameter.subarray(2).equals(Buffer.from(question.slice(2)))
  if (!isQuestion || data.length !== 8) return undefined
  return { list: data.readUInt16BE(4), index: data.readUInt16BE(6) }
}

/** @param records of equal length; none: the list does not exist */
export function identityAnswer(
  sequence: number,
  { list, index }: { list: number; index: number },
  records: readonly Buffer[],
): Buffer {
  const [first] = records
  const error = first ? 0 : 0xd401
  const parameter = Buffer.of(...answer, 0, 0, 0, error >> 8, error & 255)
  if (!first) return dataBytes({ kind: kinds.userData, sequence, parameter, data: Buffer.of(0x0a, 0, 0, 0) })
  const content = Buffer.concat(records)
  const head = Buffer.alloc(12)
  head[0] = good
  head[1] = 9
  head.writeUInt16BE(8 + content.length, 2)
  head.writeUInt16BE(list, 4)
  head.writeUInt16BE(index, 6)
  head.writeUInt16BE(first.length, 8)
  head.writeUInt16BE(records.length, 10)
  return dataBytes({ kind: kinds.userData, sequence, parameter, data: Buffer.concat([head, content]) })
}

/** The length of one record, then the bytes of those that are whole in the telegram; undefined where there are none. */
export function recordsIn({ parameter, data }: S7Telegram): number[] | undefined {
  if (parameter.length < 12 || parameter.readUInt16BE(10) !== 0 || data.length < 12 || data[0] !== good)
    return undefined
  const length = data.readUInt16BE(8)
  const whole = length > 0 ? Math.floor((data.length - 12) / length) * length : 0
  return [length, ...data.subarray(12, 12 + whole)]
}

/** What is known of a CPU. */
export interface S7Identity {
  /** `6ES7 511-1AK02-0AB0`. */
  orderNumber?: string
  /** `CPU 1511-1 PN`. */
  type?: string
  /** As the project calls it. */
  name?: string
  /** 1: no protection; 2: read only; 3: neither reading nor writing without the password. */
  protection?: number
}

type Ask = (asked: { kind: 'identity'; list: number; index: number }) => Promise<number[]>

/** Asks one list after the other; what a CPU does not have is left out. @throws PlcError where the connection fails */
export async function identityOf(ask: Ask): Promise<S7Identity> {
  const records = async (of: keyof typeof identityLists): Promise<Buffer[]> => {
    const [length = 0, ...bytes] = await ask({ kind: 'identity', ...identityLists[of] }).catch(
      (error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'REFUSED') return []
        throw error
      },
    )
    const all = Buffer.from(bytes)
    return Array.from({ length: length > 0 ? all.length / length : 0 }, (_, at) =>
      all.subarray(at * length, (at + 1) * length),
    )
  }
  const record = (all: readonly Buffer[], number: number) =>
    all.find((each) => each.length >= 2 && each.readUInt16BE(0) === number)
  const modules = await records('module')
  const components = await records('component')
  const [protection] = await records('protection')
  const orderNumber = textIn(record(modules, 1), 20)
  const type = textIn(record(components, 7), 32)
  const name = textIn(record(components, 1), 24)
  const level = protection && protection.length >= 6 ? protection.readUInt16BE(4) : 0
  return {
    ...(orderNumber && { orderNumber }),
    ...(type && { type }),
    ...(name && { name }),
    ...(level > 0 && { protection: level }),
  }
}

/** Printable characters behind the number of a record. */
const textIn = (record: Buffer | undefined, most: number): string =>
  (record?.subarray(2, 2 + most).toString('latin1') ?? '').replaceAll(/[^\x20-\x7e]/g, '').trim()
