/** A client that stays connected to one PLC and sends one request at a time, writes before reads. */
import { PersistentConnection } from '../../kernel/connection'
import { unlessAborted } from '../../kernel/scope'
import { checkOption, isWholeWithin, isWithin, PlcError } from '../plc-error'
import { type ClientCounts, PlcConnection } from './connection'
import { linkFailures, type LinkFailures } from './failures'
import type { PlcProtocol, PlcRequest } from './protocol'

/** What a client tells about its connection. */
export interface PlcClientEvents {
  /** Connected: requests may be sent, and nothing proves yet that a PLC answers. */
  onOpen?: () => void
  /** The PLC has answered on a new connection. */
  onUp?: () => void
  /** The connection was lost or could not be made: each time. */
  onDown?: (error: PlcError) => void
  /** The same for people: each cause once, until a connection has lasted. */
  onNotice?: (error: PlcError) => void
}

export interface PlcClient<Own = never> {
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
   * @throws PlcError `UNREACHABLE` at once without a connection; `REFUSED` by the PLC; `TIMEOUT`; `BAD_REPLY`;
   * `OUTCOME_UNKNOWN` a write without an answer; `ABORTED` closed, nothing was sent; `INVALID_INPUT`
   */
  request: (request: PlcRequest<Own>, options?: { isUrgent?: boolean }) => Promise<number[]>
  /** Ends the connection, and resolves when nothing is left. */
  close: () => Promise<void>
}

interface Job<Own> {
  request: PlcRequest<Own>
  resolve: (items: number[]) => void
  reject: (error: PlcError) => void
}

/** Begins to connect, and connects again whenever the connection is lost. @throws PlcError `INVALID_INPUT` */
export function startPlcClient<Own>(
  options: PlcClientOptions<Own>,
  { onOpen, onUp, onDown, onNotice }: PlcClientEvents = {},
): PlcClient<Own> {
  const settings = clientSettings(options)
  const { protocol, queue } = settings
  const failures = linkFailures(protocol, settings, queue)
  const counts: ClientCounts = { requests: 0, exceptions: 0, timeouts: 0, strays: 0, connections: 0 }
  const writes: Job<Own>[] = []
  const reads: Job<Own>[] = []
  let underWay: Job<Own> | undefined

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
    request: (request, { isUrgent = !protocol.isRead(request) } = {}) =>
      new Promise((resolve, reject) => {
        protocol.check(request)
        if (!link.isOpen) {
          reject(link.reason ?? failures.notConnected())
          return
        }
        if (writes.length + reads.length >= queue && underWay) {
          reject(failures.full())
          return
        }
        ;(isUrgent ? writes : reads).push({ request, resolve, reject })
        proceed()
      }),
    close: () => link.close(),
  }
}

/**
 * Works with one connection, which ends with the work or the signal.
 * @throws PlcError why it could not be made; the reason of the abort; what the work throws. Nothing is left then
 */
export async function onConnection<Own, Result>(
  options: PlcClientOptions<Own>,
  signal: AbortSignal,
  work: (client: PlcClient<Own>) => Promise<Result>,
): Promise<Result> {
  let opened: () => void
  let failed: (error: PlcError) => void
  const isOpen = new Promise<void>((resolve, reject) => ([opened, failed] = [resolve, reject]))
  const client = startPlcClient(options, { onOpen: () => opened(), onDown: (error) => failed(error) })
  try {
    return await unlessAborted(
      signal,
      isOpen.then(() => work(client)),
    )
  } finally {
    await client.close()
  }
}

/** Which PLC, and how patiently. */
export interface PlcClientOptions<Own = never> {
  protocol: PlcProtocol<Own>
  /** Name or IP address of the PLC. */
  host: string
  /** @default that of the protocol */
  port?: number
  /** Milliseconds for the answer to a request. @default 1000 */
  deadline?: number
  /** Milliseconds for a connection, and for each answer that opens its session. @default 3000 */
  connectDeadline?: number
  /** Limit of the random pause before the first attempt to connect again, milliseconds; it doubles each time. @default 200 */
  firstPause?: number
  /** The longest of these pauses, milliseconds: a PLC that is back is found within two seconds. @default 1500 */
  longestPause?: number
  /** Requests that may wait behind the one under way. @default 64 */
  queue?: number
  /** 0 to 1, for the pauses. @default Math.random */
  random?: () => number
}

const aDay = 86_400_000

/** The options with their defaults. @throws PlcError `INVALID_INPUT` */
function clientSettings<Own>({
  protocol,
  host,
  port = protocol.port,
  deadline = 1000,
  connectDeadline = 3000,
  firstPause = 200,
  longestPause = 1500,
  queue = 64,
  random = Math.random,
}: PlcClientOptions<Own>): Required<PlcClientOptions<Own>> {
  checkOption(
    'host',
    host,
    typeof host === 'string' && host.trim() !== '',
    'the name or IP address of the PLC, such as 192.168.0.10',
  )
  checkOption('port', port, isWholeWithin(port, 1, 65_535), '1 to 65535')
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
  return {
    ...{ protocol, host: host.trim(), port, deadline, connectDeadline },
    ...{ firstPause, longestPause, queue, random },
  }
}

interface KeepConnectedOptions<Own> extends Required<PlcClientOptions<Own>> {
  counts: ClientCounts
  failures: LinkFailures<Own>
}

type KeepConnectedEvents = Required<PlcClientEvents>

interface KeptConnection<Own> {
  /** Missing while there is none. */
  readonly connection: PlcConnection<Own> | undefined
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

/** Connections in a row that the PLC has closed after one answer, until that counts as its habit. */
const closedInARow = 2

/** Connects, and again after each loss, with pauses that grow until a PLC has answered. */
function keepConnected<Own>(
  options: KeepConnectedOptions<Own>,
  events: KeepConnectedEvents,
): KeptConnection<Own> {
  const { failures, counts, firstPause, longestPause, random } = options
  let closed: PlcError | undefined
  let current: PlcConnection<Own> | undefined

  let isUp = false
  /** It closes each connection after one answer: the next request goes out on the next connection. */
  let closesEach = false
  /** Between two connections of a PLC that closes each one. */
  let isBetween = false
  let closedAfterOne = 0
  const responses: number[] = []

  const down = (error: PlcError, ended = current) => {
    current = undefined
    isUp = false
    isBetween = false
    ended?.abandon(error)
    events.onDown(error)
  }
  /** @returns whether the next connection of a PLC that closes each one goes on where this one has ended */
  const goesOn = (error: PlcError, ended: PlcConnection<Own> | undefined): boolean => {
    if (!ended || error.cause?.reason !== 'FIN') {
      if (ended) closedAfterOne = 0
      return false
    }
    closedAfterOne = ended.answers === 1 ? closedAfterOne + 1 : 0
    if (closedAfterOne >= closedInARow) closesEach = true
    return closesEach && isUp && ended.answers === 1 && ended.isIdle
  }
  const kept = new PersistentConnection<PlcConnection<Own>, PlcError>({
    open: ({ signal, proven, ended }) =>
      PlcConnection.open({
        ...options,
        signal,
        proven: (after) => {
          responses.push(after)
          if (responses.length > rememberedResponses) responses.shift()
          proven()
        },
        end: ended,
      }),
    release: (connection) => connection.close(),
    failureOf: (error) =>
      error instanceof PlcError ? error : failures.unreachable(error as NodeJS.ErrnoException),
    causeOf: ({ key }) => (isBetween ? 'closes-each' : key),
    provenBy: 'exchange',
    retry: { first: firstPause, longest: longestPause, random },
    onOpen: (connection) => {
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
      if (closesEach && current?.answers) current.finish()
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
