/** S7 communication for the client that polls PLCs: one telegram at a time, of which any fault ends the connection. */
import {
  type Incoming,
  type LinkFailure,
  type PlcPlace,
  type PlcProtocol,
  type PlcRequest,
  type PlcSession,
  type ReadRequest,
} from '../client'
import type { MapArea } from '../data/map'
import { checkOption, isWholeWithin, type PlcError } from '../plc-error'
import { refusalOf, s7Error } from './failures'
import {
  connectBytes,
  cotp,
  type CotpTelegram,
  dataBytes,
  functions,
  good,
  itemBytes,
  itemsOf,
  kinds,
  leastPdu,
  mostItems,
  readBytes,
  s7Areas,
  type S7Extent,
  S7Fault,
  s7Telegram,
  type S7Telegram,
  telegramReader,
  type Tsaps,
  wantedPdu,
  writeBytes,
} from './frames'
import { identityBytes, recordsIn } from './identity'

/** Requests beside reading and writing memory. */
export type S7Request =
  | { kind: 'connect' }
  | { kind: 'setup' }
  /** Several extents in one telegram. */
  | { kind: 'reads'; reads: readonly ReadRequest[] }
  /** Records of a system status list, each with its bytes one after the other. */
  | { kind: 'identity'; list: number; index: number }

export interface S7Options extends Partial<Tsaps> {
  /** Number of the data block that `registers` are in. @default 1 */
  block?: number
}

/** Rack and slot of a CPU as the remote TSAP of an S7 basic connection. */
export const tsapOf = (rack: number, slot: number): number => 0x0300 + rack * 0x20 + slot

/** Bytes that every CPU reads and writes at once: what belongs together must not be torn. */
const consistent = 160

/** Bytes of an answer that reads one item, or of a request that writes one, beside its data. */
const overhead = { read: 18, write: 28 } as const

/** Words of the widest memory; the address of a bit has 24 bits. */
const mostWords = 32_768

/** @throws PlcError `INVALID_INPUT` */
export function s7Protocol({
  block = 1,
  local = 0x0100,
  remote = tsapOf(0, 1),
}: S7Options = {}): PlcProtocol<S7Request> {
  checkOption('block', block, isWholeWithin(block, 1, 65_535), '1 to 65535')
  for (const tsap of [local, remote])
    checkOption('tsap', tsap, isWholeWithin(tsap, 0, 65_535), '00.00 to FF.FF')
  const agreed = { pdu: leastPdu }
  const words = (over: number) => Math.floor(Math.min(consistent, agreed.pdu - over) / 2)
  const fits = (reads: readonly ReadRequest[]) =>
    reads.length <= mostItems &&
    12 + reads.length * itemBytes <= agreed.pdu &&
    14 + reads.reduce((sum, { count }) => sum + 4 + 2 * count, 0) <= agreed.pdu
  return {
    transport: 'tcp',
    port: 102,
    begin: (place) => new S7Session({ ...place, block, tsaps: { local, remote } }, agreed),
    check: (request) => {
      if (request.kind === 'read') checkExtent(request.address, request.count, words(overhead.read))
      if (request.kind !== 'write') return
      checkExtent(request.address, request.values.length, words(overhead.write))
      for (const value of request.values)
        checkOption('value', value, isWholeWithin(value, 0, 65_535), '0 to 65535')
    },
    isRead: ({ kind }) => kind !== 'write',
    most: { read: () => words(overhead.read), write: () => words(overhead.write) },
    joined: (reads) => (fits(reads) ? { kind: 'reads', reads } : undefined),
    // Words between two wanted ones may be behind the end of a data block.
    splitsAfter: ({ cause }) => cause?.exception === 0x05 || cause?.exception === 0x0a,
    explain: explained,
  }
}

function checkExtent(address: number, count: number, most: number): void {
  checkOption('address', address, isWholeWithin(address, 0, mostWords - 1), `0 to ${mostWords - 1}`)
  const end = Math.min(most, mostWords - address)
  checkOption('count', count, isWholeWithin(count, 1, end), `1 to ${end}`)
}

function explained(failure: LinkFailure, place: PlcPlace): PlcError | undefined {
  if (failure.is === 'no-answer') return undefined
  const { reason, isOpening } = failure
  const values = { ...place, reason }
  if (failure.is === 'lost')
    return isOpening
      ? s7Error({ code: 'UNREACHABLE', key: 's7-closed-early', values, cause: { reason } })
      : undefined
  const key = reason === 'ECONNREFUSED' ? 's7-no-listener' : 's7-unreachable'
  return s7Error({ code: 'UNREACHABLE', key, values, cause: { reason } })
}

interface S7Place extends PlcPlace {
  block: number
  tsaps: Tsaps
}

/** Where words of the map are in the CPU. */
function extentOf(
  { area, address }: { area: MapArea; address: number },
  count: number,
  block: number,
): S7Extent {
  const place = { byte: 2 * address, bytes: 2 * count }
  const name = area.startsWith('words ') ? area.slice(6) : `DB${block}`
  if (name === 'M') return { area: s7Areas.flags, block: 0, ...place }
  if (name === 'I') return { area: s7Areas.inputs, block: 0, ...place }
  if (name === 'Q') return { area: s7Areas.outputs, block: 0, ...place }
  return { area: s7Areas.block, block: Number(name.slice(2)), ...place }
}

/** One connection. */
class S7Session implements PlcSession<S7Request> {
  readonly opening = [{ kind: 'connect' }, { kind: 'setup' }] as const
  readonly #place: S7Place
  readonly #agreed: { pdu: number }
  readonly #telegramsIn = telegramReader()
  #pending: PlcRequest<S7Request> | undefined
  #sequence = 0

  constructor(place: S7Place, agreed: { pdu: number }) {
    this.#place = place
    this.#agreed = agreed
  }

  bytes(request: PlcRequest<S7Request>): Buffer {
    this.#pending = request
    const sequence = (this.#sequence = (this.#sequence % 65_535) + 1)
    switch (request.kind) {
      case 'connect':
        return connectBytes(this.#place.tsaps)
      case 'setup': {
        // One job at a time in either direction.
        const parameter = Buffer.of(functions.setup, 0, 0, 1, 0, 1, wantedPdu >> 8, wantedPdu & 255)
        return dataBytes({ kind: kinds.job, sequence, parameter })
      }
      case 'identity':
        return identityBytes(sequence, request)
      case 'write': {
        const values = Buffer.alloc(2 * request.values.length)
        request.values.forEach((value, index) => values.writeUInt16BE(value, 2 * index))
        return writeBytes(sequence, this.#extents(request), [values])
      }
      default:
        return readBytes(sequence, this.#extents(request))
    }
  }

  *take(chunk: Buffer): Generator<Incoming, void> {
    try {
      for (const telegram of this.#telegramsIn(chunk)) yield this.#read(telegram)
    } catch (error) {
      if (!(error instanceof S7Fault)) throw error
      yield { is: 'end', error: this.#unreadable(error) }
    }
  }

  /** Answers have numbers, but a CPU that is late may be so with all that follow. */
  missed(): { is: 'end'; error: PlcError } {
    const { kind } = this.#pending ?? {}
    const isOpening = kind === 'connect' || kind === 'setup'
    const key = isOpening ? 's7-silent-early' : 's7-silent'
    return { is: 'end', error: s7Error({ code: 'UNREACHABLE', key, values: this.#values }) }
  }

  #extents(request: Exclude<PlcRequest<S7Request>, { kind: 'connect' | 'setup' | 'identity' }>): S7Extent[] {
    const { block } = this.#place
    if (request.kind === 'reads') return request.reads.map((each) => extentOf(each, each.count, block))
    return [extentOf(request, request.kind === 'read' ? request.count : request.values.length, block)]
  }

  get #values() {
    const { host, port, deadline, block, tsaps } = this.#place
    return { host, port, deadline, block, tsap: tsapText(tsaps.remote) }
  }

  #unreadable({ fault, bytes }: S7Fault): PlcError {
    const isHttp = bytes.subarray(0, 5).toString('latin1') === 'HTTP/'
    const key = isHttp ? 's7-http' : fault === 'protocol' ? 's7-other-protocol' : 's7-bad-answer'
    const values = { ...this.#values, bytes: bytes.subarray(0, 8).toString('hex') }
    return s7Error({ code: 'BAD_REPLY', key, values })
  }

  #read({ type, content }: CotpTelegram): Incoming {
    const pending = this.#pending
    if (type === cotp.disconnect)
      return { is: 'end', error: s7Error({ code: 'REFUSED', key: 's7-disconnect', values: this.#values }) }
    if (pending?.kind === 'connect') {
      if (type !== cotp.confirm) throw new S7Fault('telegram', content)
      this.#pending = undefined
      return { is: 'answer', answer: [] }
    }
    if (type !== cotp.data) throw new S7Fault('telegram', content)
    const telegram = s7Telegram(content)
    // Nobody asked, or for something else: what follows cannot be trusted either.
    if (!pending || telegram.sequence !== this.#sequence) throw new S7Fault('telegram', content)
    const isUserData = pending.kind === 'identity'
    if (
      isUserData
        ? telegram.kind !== kinds.userData
        : telegram.kind !== kinds.ackData && telegram.kind !== kinds.ack
    )
      throw new S7Fault('telegram', content)
    this.#pending = undefined
    const answer = this.#answerOf(pending, telegram)
    // A session that is not set up is none.
    if (pending.kind === 'setup' && !Array.isArray(answer)) return { is: 'end', error: answer }
    return { is: 'answer', answer }
  }

  #answerOf(request: PlcRequest<S7Request>, telegram: S7Telegram): number[] | PlcError {
    const { error, parameter, data } = telegram
    if (request.kind === 'identity') return recordsIn(telegram) ?? this.#refused(request, 0x0a)
    if (error !== 0) return this.#refused(request, error)
    if (request.kind === 'setup') {
      if (parameter.length !== 8 || parameter[0] !== functions.setup) throw new S7Fault('telegram', parameter)
      const pdu = parameter.readUInt16BE(6)
      if (pdu < leastPdu) throw new S7Fault('telegram', parameter)
      this.#agreed.pdu = Math.min(pdu, wantedPdu)
      return []
    }
    if (request.kind === 'connect') return []
    const extents = this.#extents(request)
    const code = request.kind === 'write' ? functions.write : functions.read
    if (parameter.length !== 2 || parameter[0] !== code || parameter[1] !== extents.length)
      throw new S7Fault('telegram', parameter)
    if (request.kind === 'write') {
      if (data.length !== 1) throw new S7Fault('telegram', data)
      return data[0] === good ? [] : this.#refused(request, data.readUInt8(0))
    }
    const words: number[] = []
    for (const [index, item] of itemsOf(data, extents.length).entries()) {
      const extent = extents[index] as S7Extent
      if (item.code !== good) return this.#refused(request, item.code, extent)
      if (item.value.length !== extent.bytes) throw new S7Fault('telegram', data)
      for (let at = 0; at < item.value.length; at += 2) words.push(item.value.readUInt16BE(at))
    }
    return words
  }

  #refused(
    request: PlcRequest<S7Request>,
    code: number,
    extent = request.kind === 'read' || request.kind === 'write' ? this.#extents(request)[0] : undefined,
  ): PlcError {
    return refusalOf({
      code,
      isWrite: request.kind === 'write',
      ...(extent && { extent }),
      values: this.#values,
    })
  }
}

/** `03.01`, as programming tools write it. */
export const tsapText = (tsap: number): string =>
  [tsap >> 8, tsap & 255].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('.')
