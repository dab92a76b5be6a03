import { connect, type Socket } from 'node:net'
import { startTimeout } from '../../timers/timers'
import type { PlcError } from '../plc-error'
import type { ClientFailures } from './client-failures'
import { ModbusConnection, type ClientCounts } from './connection'

interface KeepConnectedOptions {
  host: string
  port: number
  unit: number
  deadline: number
  connectDeadline: number
  firstPause: number
  longestPause: number
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

/** Connects, and again after each loss, with pauses that grow until a PLC has answered. */
export function keepConnected(options: KeepConnectedOptions, events: KeepConnectedEvents): KeptConnection {
  const { failures, counts, firstPause, longestPause } = options
  let connection: ModbusConnection | undefined
  let reason: PlcError | undefined
  let socket: Socket
  let timer: NodeJS.Timeout
  let pause = firstPause
  let isClosed = false

  const attempt = () => {
    let isOver = false
    const own = (socket = connect({
      host: options.host,
      port: options.port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 10_000,
    }))
    const end = (error: PlcError) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      own.destroy()
      const ended = connection
      connection = undefined
      reason = error
      ended?.abandon(error)
      events.onDown(error)
      if (isClosed) return
      timer = startTimeout(attempt, pause)
      pause = Math.min(pause * 2, longestPause)
    }
    timer = startTimeout(
      () => end(failures.unreachable(Object.assign(new Error(), { code: 'ETIMEDOUT' }))),
      options.connectDeadline,
    )
    own.on('connect', () => {
      clearTimeout(timer)
      counts.connections++
      reason = undefined
      connection = new ModbusConnection({ ...options, socket: own, end })
      own.once('data', () => (pause = firstPause))
      events.onUp()
    })
    own.on('error', (error: NodeJS.ErrnoException) =>
      end(connection ? failures.lost(error.code ?? error.message) : failures.unreachable(error)),
    )
    // Without an error before it: the PLC has closed the connection.
    own.on('close', () => end(isClosed ? failures.closed() : failures.lost('FIN')))
  }
  attempt()

  return {
    get connection() {
      return connection
    },
    get reason() {
      return reason
    },
    close: () =>
      new Promise((resolve) => {
        isClosed = true
        clearTimeout(timer)
        reason = failures.closed()
        const ended = connection
        connection = undefined
        ended?.abandon(reason)
        if (socket.closed) {
          resolve()
          return
        }
        socket.once('close', () => resolve())
        socket.destroy()
      }),
  }
}
