/** Modbus TCP for the client that polls PLCs: sessions, and the habits that PLCs and gateways have with it. */
import {
  type Incoming,
  type ItemLimits,
  type LinkFailure,
  type PlcPlace,
  type PlcProtocol,
  type PlcRequest,
  type PlcSession,
} from '../client'
import { isBitArea, type MapArea } from '../data/map'
import { checkOption, isWholeWithin, type PlcError } from '../plc-error'
import {
  answerOf,
  checkRequest,
  exceptions,
  frameBytes,
  frameReader,
  modbusError,
  ModbusException,
  type ModbusFrame,
  type ModbusRequest,
  mostItems,
  requestBytes,
} from './frames'

/** Most items of one request. */
export const modbusLimits: ItemLimits = {
  read: (area) => mostItems.read[isBitArea(area) ? 'coils' : 'registers'],
  write: (area) => mostItems.write[isBitArea(area) ? 'coils' : 'registers'],
}

/** @throws PlcError `INVALID_INPUT` */
export function modbusProtocol({
  unit = 1,
}: { /** @default 1 */ unit?: number } = {}): PlcProtocol<ModbusRequest> {
  checkOption('unit', unit, isWholeWithin(unit, 0, 255), '0 to 255')
  const habits: Habits = { ownTransactions: false, writes: new Map() }
  return {
    transport: 'tcp',
    port: 502,
    begin: (place) => new ModbusSession({ unit, ...place }, habits),
    check: (request) => checkRequest(request as ModbusRequest),
    isRead: ({ kind }) => kind === 'read',
    most: {
      ...modbusLimits,
      write: (area) => (habits.writes.get(area) === 'one' ? 1 : modbusLimits.write(area)),
    },
    splitsAfter: ({ cause }) => cause?.exception === exceptions.illegalAddress,
    // There are functions for one item and for several, and not every PLC has both.
    adaptsTo: ({ cause }, { area, values }) => {
      if (cause?.exception !== exceptions.illegalFunction) return false
      const isSeveral = values.length > 1 || habits.writes.get(area) === 'several'
      habits.writes.set(area, isSeveral ? 'one' : 'several')
      return true
    },
    explain: (failure, place) => explained(failure, { unit, late: habits.late, ...place }),
  }
}

/** What a PLC, or a gateway before it, does in a manner of its own, once it has been seen. */
interface Habits {
  /** Its answers carry transaction numbers of its own: they are taken while one request is pending, and no other was given up. */
  ownTransactions: boolean
  /** How many items go into a request, for memory whose PLC has the function for that alone. */
  writes: Map<MapArea, 'one' | 'several'>
  /** Milliseconds after which the last answer came that was given up before. */
  late?: number
}

interface Place extends PlcPlace {
  unit: number
  late?: number | undefined
}

function explained(failure: LinkFailure, place: Place): PlcError | undefined {
  if (failure.is === 'no-answer') return timedOut('TIMEOUT', 'modbus-no-answer', place)
  if (failure.is === 'lost') return undefined
  const { reason } = failure
  return modbusError({
    code: 'UNREACHABLE',
    key: 'modbus-unreachable',
    values: { ...place, reason },
    cause: { reason },
  })
}

const timedOut = (
  code: 'UNREACHABLE' | 'TIMEOUT',
  key: 'modbus-silent' | 'modbus-no-answer',
  { late, ...place }: Place,
): PlcError =>
  late === undefined
    ? modbusError({ code, key, values: place })
    : modbusError({ code, key: `${key}-late`, values: { ...place, late } })

/** The first transaction number: a gateway that counts by itself begins elsewhere. */
const firstTransaction = 0x4000

/** Requests in a row without an answer, after which the connection counts as lost. */
const mostSilent = 2

interface Pending {
  transaction: number
  request: ModbusRequest
  /** When it was sent: milliseconds of a clock that never steps back. */
  sent: number
}

/** One connection. */
class ModbusSession implements PlcSession<ModbusRequest> {
  readonly #place: Place
  readonly #habits: Habits
  readonly #framesIn = frameReader()
  #pending: Pending | undefined
  #transaction = firstTransaction - 1
  #silent = 0
  /** The request that was given up last: an answer may still come. */
  #givenUp: Pending | undefined
  /** An answer with a number that we never sent, and no other was given up: it is taken if no better one comes. */
  #candidate: ModbusFrame | undefined
  /** Number of an answer that cannot be told apart. */
  #foreign: number | undefined

  constructor(place: Place, habits: Habits) {
    this.#place = place
    this.#habits = habits
  }

  bytes(given: PlcRequest<ModbusRequest>): Buffer {
    const transaction = (this.#transaction = (this.#transaction + 1) & 0xffff)
    const several = given.kind === 'write' && this.#habits.writes.get(given.area) === 'several'
    const request = { ...given, ...(several && { several }) } as ModbusRequest
    this.#candidate = undefined
    this.#pending = { transaction, request, sent: performance.now() }
    return frameBytes({ transaction, unit: this.#place.unit, pdu: requestBytes(request) })
  }

  *take(chunk: Buffer): Generator<Incoming, void> {
    for (const frame of this.#framesIn(chunk)) {
      if ('fault' in frame) {
        const { fault, found } = frame
        const values = { ...this.#place, found }
        yield { is: 'end', error: modbusError({ code: 'BAD_REPLY', key: `modbus-plc-${fault}`, values }) }
        return
      }
      yield this.#read(frame)
    }
  }

  missed(): Exclude<Incoming, { is: 'stray' }> | undefined {
    const habits = this.#habits
    if (this.#candidate) {
      habits.ownTransactions = true
      return this.#accept(this.#candidate)
    }
    this.#givenUp = this.#pending
    this.#pending = undefined
    if (++this.#silent < mostSilent && !habits.ownTransactions) return undefined
    const place = { ...this.#place, late: habits.late }
    const found = this.#foreign
    if (found === undefined) return { is: 'end', error: timedOut('UNREACHABLE', 'modbus-silent', place) }
    const values = { ...this.#place, found }
    const error = modbusError({ code: 'UNREACHABLE', key: 'modbus-own-transactions', values })
    return { is: 'end', error }
  }

  #read(frame: ModbusFrame): Incoming {
    const { transaction } = frame
    const [pending, givenUp, habits] = [this.#pending, this.#givenUp, this.#habits]
    if (transaction === pending?.transaction) {
      habits.ownTransactions = false
      return this.#accept(frame)
    }
    const isOurs = transaction >= firstTransaction && transaction < this.#transaction
    if (pending && !isOurs && !givenUp && habits.ownTransactions) return this.#accept(frame)
    // A late answer, to a request that was given up, or one to nobody: the right one may still come.
    if (transaction === givenUp?.transaction) habits.late = Math.round(performance.now() - givenUp.sent)
    if (pending && !isOurs) {
      if (!givenUp) this.#candidate ??= frame
      else this.#foreign = transaction
    }
    return { is: 'stray' }
  }

  #accept({ unit, pdu }: ModbusFrame): { is: 'answer'; answer: number[] | PlcError } {
    const request = this.#pending?.request as ModbusRequest
    this.#pending = undefined
    this.#silent = 0
    return { is: 'answer', answer: this.#answerOf(request, unit, pdu) }
  }

  #answerOf(request: ModbusRequest, found: number, pdu: Buffer): number[] | PlcError {
    const values = { ...this.#place, found }
    if (found !== this.#place.unit)
      return modbusError({ code: 'BAD_REPLY', key: 'modbus-other-unit', values })
    try {
      return answerOf(request, pdu) ?? modbusError({ code: 'BAD_REPLY', key: 'modbus-bad-answer', values })
    } catch (error) {
      if (!(error instanceof ModbusException)) throw error
      return this.#refused(request, error.exception)
    }
  }

  #refused(request: ModbusRequest, exception: number): PlcError {
    const { address, count } = extent(request)
    return modbusError({
      code: 'REFUSED',
      key:
        exception >= 1 && exception <= 4
          ? `modbus-exception-${exception as 1 | 2 | 3 | 4}`
          : 'modbus-exception',
      values: { ...this.#place, exception, first: address, last: address + count - 1 },
      cause: { exception },
    })
  }
}

function extent(request: ModbusRequest): { address: number; count: number } {
  if (request.kind === 'read') return request
  const { address, values } = request.kind === 'write' ? request : request.write
  return { address, count: values.length }
}
