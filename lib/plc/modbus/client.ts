import type { Socket } from 'node:net'
import { PersistentConnection } from '../../kernel/connection'
import { dial } from '../../kernel/dial'
import { startTimeout } from '../../kernel/timers'
import { checkOption, isWholeWithin, isWithin, PlcError } from '../plc-error'
import {
  answerOf,
  checkRequest,
  frameBytes,
  frameReader,
  modbusError,
  ModbusException,
  type ModbusFrame,
  type ModbusRequest,
  requestBytes,
} from './frames'

/** What a client tells about its connection. */
export interface ModbusClientEvents {
  /** Connected: requests may be sent, and nothing proves yet that a PLC answers. */
  onOpen?: () => void
  /** The PLC has answered on a new connection. */
  onUp?: () => void
  /** The connection was lost or could not be made: each time. */
  onDown?: (error: PlcError) => void
  /** The same for people: each cause once, until a connection has lasted. */
  onNotice?: (error: PlcError) => void
}

/** A Modbus TCP client that stays connected and sends one request at a time, writes before reads. */
export interface ModbusClient {
  /** Requests may be sent. */
  readonly isOpen: boolean
  /** The PLC has answered on this connection. */
  readonly isUp: boolean
  readonly counts: Readonly<ClientCounts>
  /** Milliseconds to an answer, the median of the last ones; missing before the first. */
  readonly responseTime: number | undefined
  /**
   * Sends a request; never twice. Writes come before reads, except those that are not urgent: they take turns with them.
   * @returns the items that were read; nothing for a write
   * @throws PlcError `UNREACHABLE` at once without a connection; `REFUSED` an exception; `TIMEOUT`; `BAD_REPLY`;
   * `OUTCOME_UNKNOWN` a write without an answer; `ABORTED` closed, nothing was sent; `INVALID_INPUT`
   */
  request: (request: ModbusRequest, options?: { isUrgent?: boolean }) => Promise<number[]>
  /** Ends the connection, and resolves when nothing is left. */
  close: () => Promise<void>
}

interface Job {
  request: ModbusRequest
  resolve: (items: number[]) => void
  reject: (error: PlcError) => void
}

/** Begins to connect, and connects again whenever the connection is lost. @throws PlcError `INVALID_INPUT` */
export function startModbusClient(
  options: ModbusClientOptions,
  { onOpen, onUp, onDown, onNotice }: ModbusClientEvents = {},
): ModbusClient {
  const settings = clientSettings(options)
  const failures = clientFailures(settings)
  const counts: ClientCounts = { requests: 0, exceptions: 0, timeouts: 0, strays: 0, connections: 0 }
  const writes: Job[] = []
  const reads: Job[] = []
  let underWay: Job | undefined

  const link = keepConnected(
    { ...settings, counts, failures },
    {
      onOpen: () => {
        onOpen?.()
        proceed()
      },
      onUp: () => onUp?.(),
      onDown: (error) => {
        for (const { reject } of [...writes.splice(0), ...reads.splice(0)]) reject(error)
        if (error.code !== 'ABORTED') onDown?.(error)
      },
      onNotice: (error) => onNotice?.(error),
    },
  )

  function proceed(): void {
    if (underWay || !link.connection) return
    const job = writes.shift() ?? reads.shift()
    if (!job) return
    underWay = job
    counts.requests++
    link.connection.exchange(job.request, (answer) => {
      underWay = undefined
      if (Array.isArray(answer)) job.resolve(answer)
      else job.reject(answer)
      link.answered()
      // First whoever waited for this answer: the write that follows another comes before the reads.
      setImmediate(proceed)
    })
  }

  return {
    get isOpen() {
      return link.isOpen
    },
    get isUp() {
      return link.isUp
    },
    counts,
    get responseTime() {
      return link.responseTime
    },
    request: (request, { isUrgent = request.kind !== 'read' } = {}) =>
      new Promise((resolve, reject) => {
        checkRequest(request)
        if (!link.isOpen) {
          reject(link.reason ?? failures.notConnected())
          return
        }
        if (writes.length + reads.length >= settings.queue && underWay) {
          reject(failures.full())
          return
        }
        ;(isUrgent ? writes : reads).push({ request, resolve, reject })
        proceed()
      }),
    close: () => link.close(),
  }
}

/** Which PLC, and how patiently. */
export interface ModbusClientOptions {
  /** Name or IP address of the PLC. */
  host: string
  /** @default 502 */
  port?: number
  /** @default 1 */
  unit?: number
  /** Milliseconds for the answer to a request. Two in a row without one end the connection. @default 1000 */
  deadline?: number
  /** Milliseconds for a connection. @default 3000 */
  connectDeadline?: number
  /** Limit of the random pause before the first attempt to connect again, milliseconds; it doubles each time. @default 200 */
  firstPause?: number
  /** The longest of these pauses, milliseconds. @default 10000 */
  longestPause?: number
  /** Requests that may wait behind the one under way. @default 64 */
  queue?: number
  /** 0 to 1, for the pauses. @default Math.random */
  random?: () => number
}

const aDay = 86_400_000

/** The options with their defaults. @throws PlcError `INVALID_INPUT` */
function clientSettings({
  host,
  port = 502,
  unit = 1,
  deadline = 1000,
  connectDeadline = 3000,
  firstPause = 200,
  longestPause = 10_000,
  queue = 64,
  random = Math.random,
}: ModbusClientOptions): Required<ModbusClientOptions> {
  checkOption(
    'host',
    host,
    typeof host === 'string' && host.trim() !== '',
    'the name or IP address of the PLC, such as 192.168.0.10',
  )
  checkOption('port', port, isWholeWithin(port, 1, 65_535), '1 to 65535')
  checkOption('unit', unit, isWholeWithin(unit, 0, 255), '0 to 255')
  checkOption('deadline', deadline, isWithin(deadline, 1, aDay), '1 ms to 24 h')
  checkOption('connectDeadline', connectDeadline, isWithin(connectDeadline, 1, aDay), '1 ms to 24 h')
  checkOption('firstPause', firstPause, isWithin(firstPause, 1, aDay), '1 ms to 24 h')
  checkOption(
    'longestPause',
    longestPause,
    isWithin(longestPause, firstPause, aDay),
    `${firstPause} ms to 24 h`,
  )
  checkOption('queue', queue, isWholeWithin(queue, 0, 10_000), '0 to 10000')
  return { host: host.trim(), port, unit, deadline, connectDeadline, firstPause, longestPause, queue, random }
}

interface PlcAddress {
  host: string
  port: number
  unit: number
  deadline: number
  queue: number
}

/** The errors of a client, each with the PLC that it speaks to. */
function clientFailures({ host, port, unit, deadline, queue }: PlcAddress) {
  const place = { host, port, unit, deadline, limit: queue }
  /** Milliseconds after which the last answer came that was given up before. */
  let late: number | undefined
  const timedOut = (code: 'UNREACHABLE' | 'TIMEOUT', key: 'modbus-silent' | 'modbus-no-answer') =>
    late === undefined
      ? modbusError({ code, key, values: place })
      : modbusError({ code, key: `${key}-late`, values: { ...place, late } })
  const isRead = (request: ModbusRequest) => request.kind === 'read'

  return {
    notConnected: () => modbusError({ code: 'UNREACHABLE', key: 'modbus-connecting', values: place }),
    unreachable: (error: NodeJS.ErrnoException) => {
      const reason = error.code ?? error.message
      const key =
        reason === 'ENOTFOUND' || reason === 'EAI_AGAIN' ? 'modbus-unknown-host' : 'modbus-unreachable'
      return modbusError({ code: 'UNREACHABLE', key, values: { ...place, reason }, cause: { reason } })
    },
    lost: (reason: string) =>
      modbusError({
        code: 'UNREACHABLE',
        key: 'modbus-lost',
        values: { ...place, reason },
        cause: { reason },
      }),
    /** The PLC is connected and silent. */
    silent: () => timedOut('UNREACHABLE', 'modbus-silent'),
    /** An answer came after it was given up: the next timeout tells how long it took. */
    cameLate: (milliseconds: number) => void (late = Math.round(milliseconds)),
    /** Its answers come too late, and cannot be told apart by their numbers. */
    ownTransactions: (found: number) =>
      modbusError({ code: 'UNREACHABLE', key: 'modbus-own-transactions', values: { ...place, found } }),
    notModbus: (fault: 'protocol' | 'length', found: number) =>
      modbusError({ code: 'BAD_REPLY', key: `modbus-plc-${fault}`, values: { ...place, found } }),
    closed: () => modbusError({ code: 'ABORTED', key: 'modbus-closed', values: place }),
    full: () => modbusError({ code: 'BUSY', key: 'modbus-queue', values: place }),
    noAnswer: (request: ModbusRequest) =>
      isRead(request)
        ? timedOut('TIMEOUT', 'modbus-no-answer')
        : modbusError({ code: 'OUTCOME_UNKNOWN', key: 'modbus-write-unknown', values: place }),
    lostUnderWay: (request: ModbusRequest, lost: PlcError) =>
      isRead(request)
        ? lost
        : modbusError({ code: 'OUTCOME_UNKNOWN', key: 'modbus-write-unknown', values: place }),
    refused: (request: ModbusRequest, exception: number) => {
      const { address, count } = extent(request)
      return modbusError({
        code: 'REFUSED',
        key:
          exception >= 1 && exception <= 4
            ? `modbus-exception-${exception as 1 | 2 | 3 | 4}`
            : 'modbus-exception',
        values: { ...place, exception, first: address, last: address + count - 1 },
        cause: { exception },
      })
    },
    otherUnit: (found: number) =>
      modbusError({ code: 'BAD_REPLY', key: 'modbus-other-unit', values: { ...place, found } }),
    badAnswer: () => modbusError({ code: 'BAD_REPLY', key: 'modbus-bad-answer', values: place }),
  }
}

type ClientFailures = ReturnType<typeof clientFailures>

function extent(request: ModbusRequest): { address: number; count: number } {
  if (request.kind === 'read') return request
  const { address, values } = request.kind === 'write' ? request : request.write
  return { address, count: values.length }
}

/** How often what has happened since the start. */
export interface ClientCounts {
  requests: number
  exceptions: number
  timeouts: number
  /** Answers to no request, or to one that was given up. */
  strays: number
  /** Connections established so far. */
  connections: number
}

type Answered = (answer: number[] | PlcError) => void

interface Exchange {
  transaction: number
  request: ModbusRequest
  answered: Answered
  timer: NodeJS.Timeout
  /** When it was sent: milliseconds of a clock that never steps back. */
  sent: number
}

interface ConnectionOptions {
  socket: Socket
  unit: number
  /** Milliseconds. */
  deadline: number
  counts: ClientCounts
  failures: ClientFailures
  habits: Habits
  /** The PLC has answered a request. @param after milliseconds */
  proven: (after: number) => void
  /** The connection is of no use any more. */
  end: (error: PlcError) => void
}

/** What a PLC, or a gateway before it, does in a manner of its own, once it has been seen. */
interface Habits {
  /** Its answers carry transaction numbers of its own: they are taken while one request is pending, and no other was given up. */
  ownTransactions: boolean
  /** It closes each connection after one answer: the next request goes out on the next connection. */
  closesEach: boolean
}

/** Connections in a row that the PLC has closed after one answer, until that counts as its habit. */
const closedInARow = 2

/** The first transaction number: a gateway that counts by itself begins elsewhere. */
const firstTransaction = 0x4000

/** Requests in a row without an answer, after which the connection counts as lost. */
const mostSilent = 2

/** One connection that has come about: one request at a time. */
class ModbusConnection {
  /** Answers that were taken. */
  answers = 0
  private readonly framesIn = frameReader()
  private underWay: Exchange | undefined
  private transaction = firstTransaction - 1
  private silent = 0
  /** The request that was given up last: an answer may still come. */
  private givenUp: Exchange | undefined
  /** An answer with a number that we never sent, and no other was given up: it is taken if no better one comes. */
  private candidate: ModbusFrame | undefined
  /** Number of an answer that cannot be told apart. */
  private foreign: number | undefined

  constructor(private readonly options: ConnectionOptions) {
    options.socket.on('data', (chunk) => this.take(chunk))
  }

  get isIdle(): boolean {
    return this.underWay === undefined
  }

  /** Sends a request; the one before must have been answered. */
  exchange(request: ModbusRequest, answered: Answered): void {
    const { socket, unit, deadline } = this.options
    const transaction = (this.transaction = (this.transaction + 1) & 0xffff)
    const timer = startTimeout(() => this.miss(), deadline)
    this.candidate = undefined
    this.underWay = { transaction, request, answered, timer, sent: performance.now() }
    socket.write(frameBytes({ transaction, unit, pdu: requestBytes(request) }))
  }

  /** Ends the connection, which the PLC would end by itself. */
  finish(): void {
    this.options.end(this.options.failures.lost('FIN'))
  }

  /** Ends the request under way. */
  abandon(error: PlcError): void {
    const { underWay } = this
    if (underWay) this.answer(this.options.failures.lostUnderWay(underWay.request, error))
  }

  private miss(): void {
    const { counts, failures, end, habits } = this.options
    const { underWay, candidate, foreign } = this
    if (!underWay) return
    counts.timeouts++
    if (candidate) {
      habits.ownTransactions = true
      this.accept(candidate)
      return
    }
    this.givenUp = underWay
    const isLost = ++this.silent >= mostSilent || habits.ownTransactions
    // First the end: the next request must not go out on this connection.
    if (isLost) end(foreign === undefined ? failures.silent() : failures.ownTransactions(foreign))
    else this.answer(failures.noAnswer(underWay.request))
  }

  private take(chunk: Buffer): void {
    for (const frame of this.framesIn(chunk)) {
      if (this.options.socket.destroyed) return
      if ('fault' in frame) {
        this.options.end(this.options.failures.notModbus(frame.fault, frame.found))
        return
      }
      this.read(frame)
    }
  }

  private read(frame: ModbusFrame): void {
    const { underWay, givenUp, options } = this
    const { transaction } = frame
    if (transaction === underWay?.transaction) {
      options.habits.ownTransactions = false
      this.accept(frame)
      return
    }
    const isOurs = transaction >= firstTransaction && transaction < this.transaction
    if (underWay && !isOurs && !givenUp && options.habits.ownTransactions) {
      this.accept(frame)
      return
    }
    // A late answer, to a request that was given up, or one to nobody: the right one may still come.
    options.counts.strays++
    if (transaction === givenUp?.transaction) options.failures.cameLate(performance.now() - givenUp.sent)
    if (!underWay || isOurs) return
    if (!givenUp) this.candidate ??= frame
    else this.foreign = transaction
  }

  private accept({ unit, pdu }: ModbusFrame): void {
    const { underWay, options } = this
    if (!underWay) return
    this.silent = 0
    this.answers++
    options.proven(performance.now() - underWay.sent)
    if (unit !== options.unit) {
      this.answer(options.failures.otherUnit(unit))
      return
    }
    try {
      this.answer(answerOf(underWay.request, pdu) ?? options.failures.badAnswer())
    } catch (error) {
      if (!(error instanceof ModbusException)) throw error
      options.counts.exceptions++
      this.answer(options.failures.refused(underWay.request, error.exception))
    }
  }

  private answer(answer: number[] | PlcError): void {
    const { underWay } = this
    this.underWay = undefined
    clearTimeout(underWay?.timer)
    underWay?.answered(answer)
  }
}

interface KeepConnectedOptions {
  host: string
  port: number
  unit: number
  deadline: number
  connectDeadline: number
  firstPause: number
  longestPause: number
  random: () => number
  counts: ClientCounts
  failures: ClientFailures
}

type KeepConnectedEvents = Required<ModbusClientEvents>

interface KeptConnection {
  /** Missing while there is none. */
  readonly connection: ModbusConnection | undefined
  /** There is one, or the next one of a PLC that closes each comes about. */
  readonly isOpen: boolean
  readonly isUp: boolean
  readonly responseTime: number | undefined
  /** A request has ended. */
  answered: () => void
  /** Why there is none. */
  readonly reason: PlcError | undefined
  close: () => Promise<void>
}

/** Response times that are remembered. */
const rememberedResponses = 9

interface OpenConnection {
  socket: Socket
  connection: ModbusConnection
}

/** Connects, and again after each loss, with pauses that grow until a PLC has answered. */
function keepConnected(options: KeepConnectedOptions, events: KeepConnectedEvents): KeptConnection {
  const { host, port, connectDeadline, failures, counts, firstPause, longestPause, random } = options
  let closed: PlcError | undefined
  let current: ModbusConnection | undefined

  let isUp = false
  /** Between two connections of a PLC that closes each one. */
  let isBetween = false
  let closedAfterOne = 0
  const habits: Habits = { ownTransactions: false, closesEach: false }
  const responses: number[] = []

  const down = (error: PlcError, ended = current) => {
    current = undefined
    isUp = false
    isBetween = false
    ended?.abandon(error)
    events.onDown(error)
  }
  /** @returns whether the next connection of a PLC that closes each one goes on where this one has ended */
  const goesOn = (error: PlcError, ended: ModbusConnection | undefined): boolean => {
    if (!ended || error.cause?.reason !== 'FIN') {
      if (ended) closedAfterOne = 0
      return false
    }
    closedAfterOne = ended.answers === 1 ? closedAfterOne + 1 : 0
    if (closedAfterOne >= closedInARow) habits.closesEach = true
    return habits.closesEach && isUp && ended.answers === 1 && ended.isIdle
  }
  const kept = new PersistentConnection<OpenConnection, PlcError>({
    open: async ({ signal, proven, ended }) => {
      const socket = await dial({ host, port, timeout: connectDeadline, signal })
      socket.setNoDelay(true).setKeepAlive(true, 10_000)
      socket.on('error', ({ code, message }: NodeJS.ErrnoException) => ended(failures.lost(code ?? message)))
      // Without an error before it: the PLC has closed the connection.
      socket.once('close', () => ended(failures.lost('FIN')))
      return {
        socket,
        connection: new ModbusConnection({
          ...options,
          socket,
          habits,
          proven: (after) => {
            responses.push(after)
            if (responses.length > rememberedResponses) responses.shift()
            proven()
          },
          end: ended,
        }),
      }
    },
    release: ({ socket }) =>
      new Promise<void>((resolve) => {
        if (socket.closed) {
          resolve()
          return
        }
        socket.once('close', () => resolve())
        socket.destroy()
      }),
    failureOf: (error) =>
      error instanceof PlcError ? error : failures.unreachable(error as NodeJS.ErrnoException),
    causeOf: ({ key }) => (isBetween ? 'closes-each' : key),
    provenBy: 'exchange',
    retry: { first: firstPause, longest: longestPause, random },
    onOpen: ({ connection }) => {
      counts.connections++
      current = connection
      events.onOpen()
    },
    onUp: () => {
      isBetween = false
      if (isUp) return
      isUp = true
      events.onUp()
    },
    onDown: (error) => {
      const ended = current
      if (goesOn(error, ended)) {
        current = undefined
        isBetween = true
        kept.retryNow()
      } else down(error, ended)
    },
    onNotice: (notice) => {
      if (notice.is === 'down' && !notice.again && !isBetween) events.onNotice(notice.failure)
    },
  })

  return {
    get connection() {
      return current
    },
    get isOpen() {
      return !closed && (current !== undefined || isBetween)
    },
    get isUp() {
      return isUp
    },
    get responseTime() {
      return [...responses].sort((one, other) => one - other)[responses.length >> 1]
    },
    answered: () => {
      if (habits.closesEach && current?.answers) current.finish()
    },
    get reason() {
      return closed ?? kept.failure
    },
    close: async () => {
      if (!closed) {
        closed = failures.closed()
        down(closed)
      }
      await kept.close()
    },
  }
}
