/** SLMP for the client that polls PLCs: 3E frames over TCP, and 4E frames over UDP. */
import type { Incoming, LinkFailure, PlcPlace, PlcProtocol, PlcRequest, PlcSession } from '../client'
import { isBitArea } from '../data/map'
import { checkOption, isWholeWithin, type PlcError } from '../plc-error'
import { deviceAt, firstD, largestNumber, slmpAddressText, slmpDevices, type SlmpStart } from './devices'
import {
  answerOf,
  checkRequest,
  connectedCpu,
  datagramFrame,
  endCodes,
  endCodeText,
  frameBytes,
  frameReader,
  mostItems,
  requestBytes,
  type SlmpFault,
  type SlmpFrame,
  slmpError,
  type SlmpModelRequest,
  SlmpRefusal,
  type SlmpRequest,
  type SlmpRoute,
  unitOf,
} from './frames'

export interface SlmpOptions {
  /** As the connection in the PLC is set. @default 'tcp' */
  transport?: 'tcp' | 'udp'
  /** Where `registers` begin. @default D0 */
  start?: SlmpStart
  /** Which CPU. @default the one that is connected */
  route?: Partial<SlmpRoute>
}

/** @throws PlcError `INVALID_INPUT` */
export function slmpProtocol({
  transport = 'tcp',
  start = firstD,
  route = {},
}: SlmpOptions = {}): PlcProtocol<SlmpModelRequest> {
  const to = { ...connectedCpu, ...route }
  for (const name of ['network', 'pc', 'station'] as const)
    checkOption(name, to[name], isWholeWithin(to[name], 0, 255), '0 to 255')
  checkOption('module', to.module, isWholeWithin(to.module, 0, 0xffff), '0 to 65535')
  checkOption('start', start.number, isWholeWithin(start.number, 0, largestNumber), `0 to ${largestNumber}`)
  const isDatagram = transport === 'udp'
  let session: SlmpSession | undefined
  const most = (area: Parameters<typeof isBitArea>[0]) => mostItems[isBitArea(area) ? 'bit' : 'word']
  return {
    transport,
    port: 0,
    begin: (place) => (session = new SlmpSession({ ...place, route: to, start, isDatagram })),
    check: (request) => checkRequest(slmpRequest(request, start)),
    isRead: ({ kind }) => kind !== 'write',
    most: { read: most, write: most },
    // Devices between two wanted ones may not exist.
    splitsAfter: ({ cause }) => beyond.has(cause?.exception ?? 0),
    explain: (failure, place) => explained(failure, place, isDatagram, session?.hasAnswered === true),
  }
}

const beyond: ReadonlySet<number> = new Set([endCodes.beyondDevices, endCodes.range, endCodes.noAccess])

function explained(
  failure: LinkFailure,
  place: PlcPlace,
  isDatagram: boolean,
  hasAnswered: boolean,
): PlcError | undefined {
  if (failure.is === 'no-answer') return undefined
  const { reason } = failure
  const isRefused = reason === 'ECONNREFUSED'
  if (failure.is === 'lost' && hasAnswered && !(isDatagram && isRefused)) return undefined
  const key = isDatagram
    ? isRefused
      ? 'slmp-udp-refused'
      : 'slmp-unreachable'
    : failure.is === 'lost'
      ? 'slmp-closed-early'
      : isRefused
        ? 'slmp-no-listener'
        : 'slmp-unreachable'
  return slmpError({ code: 'UNREACHABLE', key, values: { ...place, reason }, cause: { reason } })
}

/** The request with the devices of the PLC. */
function slmpRequest(request: PlcRequest<SlmpModelRequest>, start: SlmpStart): SlmpRequest {
  if (request.kind === 'model') return request
  const { device, number } = deviceAt(request, start)
  return request.kind === 'read'
    ? { kind: 'read', device, number, count: request.count }
    : { kind: 'write', device, number, values: request.values }
}

interface SlmpPlace extends PlcPlace {
  route: SlmpRoute
  start: SlmpStart
  isDatagram: boolean
}

/** Requests in a row without an answer, after which a PLC that is asked by datagrams counts as lost: one may get lost. */
const mostSilent = 2

/** Milliseconds. */
const timerUnit = 250

/** One connection. */
class SlmpSession implements PlcSession<SlmpModelRequest> {
  hasAnswered = false
  readonly #place: SlmpPlace
  readonly #framesIn = frameReader('answer')
  #pending: SlmpRequest | undefined
  #serial = 0
  #silent = 0

  constructor(place: SlmpPlace) {
    this.#place = place
  }

  bytes(polled: PlcRequest<SlmpModelRequest>): Buffer {
    const { route, start, deadline, isDatagram } = this.#place
    const request = slmpRequest(polled, start)
    this.#pending = request
    this.#serial = (this.#serial + 1) & 0xffff
    const timer = Math.min(0xffff, Math.ceil(deadline / timerUnit))
    const frame = { route, data: requestBytes(request, timer) }
    return frameBytes('request', isDatagram ? { ...frame, serial: this.#serial } : frame)
  }

  *take(chunk: Buffer): Generator<Incoming, void> {
    const frames = this.#place.isDatagram ? [datagramFrame('answer', chunk)] : this.#framesIn(chunk)
    for (const frame of frames) {
      const incoming = 'fault' in frame ? this.#unreadable(frame) : this.#read(frame)
      yield incoming
      if (incoming.is === 'end') return
    }
  }

  /** An answer in a 3E frame has no number: a late one would count for the next request. */
  missed(): { is: 'end'; error: PlcError } | undefined {
    const { isDatagram, host, port, deadline } = this.#place
    this.#pending = undefined
    if (isDatagram && ++this.#silent < mostSilent) return undefined
    const key = isDatagram ? 'slmp-silent-udp' : 'slmp-silent'
    return { is: 'end', error: slmpError({ code: 'UNREACHABLE', key, values: { host, port, deadline } }) }
  }

  #read({ serial, data }: SlmpFrame): Incoming {
    const request = this.#pending
    if (!request || serial !== (this.#place.isDatagram ? this.#serial : undefined)) return { is: 'stray' }
    const { host, port } = this.#place
    this.#pending = undefined
    this.#silent = 0
    this.hasAnswered = true
    try {
      const answer = answerOf(request, data)
      if (answer) return { is: 'answer', answer }
      const error = slmpError({ code: 'BAD_REPLY', key: 'slmp-bad-answer', values: { host, port } })
      return { is: 'end', error }
    } catch (error) {
      if (!(error instanceof SlmpRefusal)) throw error
      return { is: 'answer', answer: refusedBy(request, error.endCode, { host, port }) }
    }
  }

  #unreadable({ fault, found: number }: SlmpFault): Incoming {
    const { host, port } = this.#place
    const found = fault === 'length' ? number : endCodeText(number)
    const error = slmpError({
      code: 'BAD_REPLY',
      key: `slmp-plc-${fault}`,
      values: { host, port, found },
    })
    return { is: 'end', error }
  }
}

type EndCodeKey = Parameters<typeof slmpError>[0]['key']

const endCodeKeys: Readonly<Record<(typeof endCodes)[keyof typeof endCodes], EndCodeKey>> = {
  [endCodes.writeDuringRun]: 'slmp-write-during-run',
  [endCodes.noDevice]: 'slmp-no-device',
  [endCodes.beyondDevices]: 'slmp-beyond-devices',
  [endCodes.noStation]: 'slmp-no-station',
  [endCodes.ascii]: 'slmp-ascii',
  [endCodes.tooManyBits]: 'slmp-amount',
  [endCodes.tooManyWords]: 'slmp-amount',
  [endCodes.tooManyScatteredBits]: 'slmp-amount',
  [endCodes.tooManyScatteredWords]: 'slmp-amount',
  [endCodes.range]: 'slmp-range',
  [endCodes.unknownCommand]: 'slmp-unknown-command',
  [endCodes.noAccess]: 'slmp-no-access',
  [endCodes.bitsOfWords]: 'slmp-content',
  [endCodes.otherCpu]: 'slmp-other-cpu',
  [endCodes.length]: 'slmp-content',
  [endCodes.asciiOrBinary]: 'slmp-ascii',
  [endCodes.locked]: 'slmp-locked',
}

/** The error of a request that the PLC refused with this end code. @param place host and port */
export function refusedBy(
  request: SlmpRequest,
  endCode: number,
  place: { host: string; port: number },
): PlcError {
  const key = Object.hasOwn(endCodeKeys, endCode)
    ? endCodeKeys[endCode as keyof typeof endCodeKeys]
    : 'slmp-refused'
  const values = { ...place, endCode: endCodeText(endCode), ...extentText(request) }
  return slmpError({ code: 'REFUSED', key, values, cause: { exception: endCode } })
}

/** First and last device of a request, as the engineering tool writes them. */
function extentText(request: SlmpRequest): { first: string; last: string } {
  if (request.kind === 'model') return { first: '0101', last: '0101' }
  const { device, number } = request
  const count = request.kind === 'read' ? request.count : request.values.length
  const step = unitOf(request) === 'word' && slmpDevices[device].item === 'bit' ? 16 : 1
  return {
    first: slmpAddressText({ device, number }),
    last: slmpAddressText({ device, number: number + count * step - 1 }),
  }
}
