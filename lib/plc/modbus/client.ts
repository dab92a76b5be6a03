import type { PlcError } from '../plc-error'
import { checkRequest } from './check-request'
import { clientFailures } from './client-failures'
import { clientSettings, type ModbusClientOptions } from './client-options'
import type { ClientCounts } from './connection'
import { keepConnected } from './keep-connected'
import type { ModbusRequest } from './requests'

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
