import type { Socket } from 'node:net'
import { PersistentConnection } from '../../kernel/connection'
import { dial } from '../../kernel/dial'
import { startTimeout } from '../../timers/timers'
import { checkOption, isWholeWithin, isWithin } from '../option-check'
import { PlcError } from '../plc-error'
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
  onUp?: () => void
  /** The connection was lost or could not be made; again only where the reason is another. */
  onDown?: (error: PlcError) => void
}

/** A Modbus TCP client that stays connected and sends one request at a time, writes before reads. */
export interface ModbusClient {
  readonly isUp: boolean
  readonly counts: Readonly<ClientCounts>
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
  { onUp, onDown }: ModbusClientEvents = {},
): ModbusClient {
  const settings = clientSettings(options)
  const failures = clientFailures(settings)
  const counts: ClientCounts = { requests: 0, exceptions: 0, timeouts: 0, strays: 0, connections: 0 }
  const writes: Job[] = []
  const reads: Job[] = []
  let underWay: Job | undefined
  let told: string | undefined

  const link = keepConnected(
    { ...settings, counts, failures },
    {
      onUp: () => {
        told = undefined
        onUp?.()
        proceed()
      },
      onDown: (error) => {
        for (const { reject } of [...writes.splice(0), ...reads.splice(0)]) reject(error)
        if (told === error.key) return
        told = error.key
        if (error.code !== 'ABORTED') onDown?.(error)
      },
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
      // First whoever waited for this answer: the write that follows another comes before the reads.
      setImmediate(proceed)
    })
  }

  return {
    get isUp() {
      return link.connection !== undefined
    },
    counts,
    request: (request, { isUrgent = request.kind !== 'read' } = {}) =>
      new Promise((resolve, reject) => {
        checkRequest(request)
        if (!link.connection) {
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
  /** The PLC has answered a request. */
  proven: () => void
  /** The connection is of no use any more. */
  end: (error: PlcError) => void
}

/** Requests in a row without an answer, after which the connection counts as lost. */
const mostSilent = 2

/** One connection that has come about: one request at a time. */
class ModbusConnection {
  private readonly framesIn = frameReader()
  private underWay: Exchange | undefined
  private transaction = 0
  private silent = 0
  /** The request that was given up last. */
  private givenUp: Exchange | undefined

  constructor(private readonly options: ConnectionOptions) {
    options.socket.on('data', (chunk) => this.take(chunk))
  }

  /** Sends a request; the one before must have been answered. */
  exchange(request: ModbusRequest, answered: Answered): void {
    const { socket, unit, deadline } = this.options
    const transaction = (this.transaction = (this.transaction + 1) & 0xffff)
    const timer = startTimeout(() => this.miss(), deadline)
    this.underWay = { transaction, request, answered, timer, sent: performance.now() }
    socket.write(frameBytes({ transaction, unit, pdu: requestBytes(request) }))
  }

  /** Ends the request under way. */
  abandon(error: PlcError): void {
    const { underWay } = this
    if (underWay) this.answer(this.options.failures.lostUnderWay(underWay.request, error))
  }

  private miss(): void {
    const { counts, failures, end } = this.options
    const { underWay } = this
    if (!underWay) return
    counts.timeouts++
    this.givenUp = underWay
    const isLost = ++this.silent >= mostSilent
    // First the end: the next request must not go out on this connection.
    if (isLost) end(failures.silent())
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

  private read({ transaction, unit, pdu }: ModbusFrame): void {
    const { underWay, options } = this
    // A late answer, to a request that was given up, or one to nobody: the right one may still come.
    if (transaction !== underWay?.transaction) {
      options.counts.strays++
      const { givenUp } = this
      if (transaction === givenUp?.transaction) options.failures.cameLate(performance.now() - givenUp.sent)
      return
    }
    this.silent = 0
    options.proven()
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

interface KeepConnectedEvents {
  onUp: () => void
  /** At each connection that was lost or did not come about. */
  onDown: (error: PlcError) => void
}

interface KeptConnection {
  /** Missing while there is none. */
  readonly connection: ModbusConnection | undefined
  /** Why there is none. */
  readonly reason: PlcError | undefined
  close: () => Promise<void>
}

interface OpenConnection {
  socket: Socket
  connection: ModbusConnection
}

/** Connects, and again after each loss, with pauses that grow until a PLC has answered. */
function keepConnected(options: KeepConnectedOptions, events: KeepConnectedEvents): KeptConnection {
  const { host, port, connectDeadline, failures, counts, firstPause, longestPause, random } = options
  let closed: PlcError | undefined
  let current: ModbusConnection | undefined

  const abandon = (error: PlcError) => {
    const ended = current
    current = undefined
    ended?.abandon(error)
  }
  const kept = new PersistentConnection<OpenConnection, PlcError>({
    open: async ({ signal, proven, ended }) => {
      const socket = await dial({ host, port, timeout: connectDeadline, signal })
      socket.setNoDelay(true).setKeepAlive(true, 10_000)
      socket.on('error', ({ code, message }: NodeJS.ErrnoException) => ended(failures.lost(code ?? message)))
      // Without an error before it: the PLC has closed the connection.
      socket.once('close', () => ended(failures.lost('FIN')))
      return { socket, connection: new ModbusConnection({ ...options, socket, proven, end: ended }) }
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
    causeOf: ({ key }) => key,
    provenBy: 'exchange',
    retry: { first: firstPause, longest: longestPause, random },
    onOpen: ({ connection }) => {
      counts.connections++
      current = connection
      events.onUp()
    },
    onDown: (error) => {
      abandon(error)
      events.onDown(error)
    },
  })

  return {
    get connection() {
      return current
    },
    get reason() {
      return closed ?? kept.failure
    },
    close: async () => {
      if (!closed) {
        closed = failures.closed()
        abandon(closed)
        events.onDown(closed)
      }
      await kept.close()
    },
  }
}
