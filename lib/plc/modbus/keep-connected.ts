import type { Socket } from 'node:net'
import { PersistentConnection } from '../../kernel/connection'
import { dial } from '../../kernel/dial'
import { PlcError } from '../plc-error'
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
export function keepConnected(options: KeepConnectedOptions, events: KeepConnectedEvents): KeptConnection {
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
