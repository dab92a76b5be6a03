import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { PlcError } from '../plc-error'
import { allowedHosts, plainAddress } from './allowed-hosts'
import { ModbusMemory } from './memory'
import type { WritableArea } from './requests'
import { serverSettings, type ModbusServerOptions } from './server-options'
import { serveConnection, type ServedWrite, type ServerCounts } from './serve-connection'
import { modbusError } from './modbus-error'

/** What a server tells, each at once and in order. */
export interface ModbusServerEvents {
  /** A client wrote. The answer goes out after this returns: what is set here, the client's next read shows. */
  onWrite: (write: ServedWrite) => void
  /** Addresses of the connected clients, whenever they changed. */
  onClients?: (clients: readonly string[]) => void
  /** A host that is not allowed tried to connect. */
  onRefused?: (address: string) => void
  /** What a client sent cannot be read; its connection is closed. Or the server listens no more. */
  onError?: (error: PlcError) => void
}

/** A Modbus TCP server that has the registers and coils of a map. */
export interface ModbusServer {
  readonly host: string
  readonly port: number
  readonly counts: Readonly<ServerCounts>
  /** `performance.now()` of the last request; `-Infinity` before the first. */
  readonly lastRequest: number
  /** Addresses of the connected clients. */
  readonly clients: readonly string[]
  /** Sets items all at once: no read sees a part of them. Items that do not exist are left out. */
  set: (items: Iterable<{ area: WritableArea; address: number; value: number }>) => void
  /** The items as they are now. @throws ModbusException where one does not exist */
  read: (area: WritableArea, address: number, count: number) => number[]
  /** Ends all connections, and resolves when nothing is left. */
  close: () => Promise<void>
}

/**
 * Starts a Modbus TCP server.
 * @throws PlcError `INVALID_INPUT` for an option, a port that is taken, below 1024 without the right, or not ours
 */
export async function startModbusServer(
  options: ModbusServerOptions,
  { onWrite, onClients, onRefused, onError }: ModbusServerEvents,
): Promise<ModbusServer> {
  const settings = serverSettings(options)
  const isAllowed = allowedHosts(settings.allow)
  const memory = new ModbusMemory(settings.blocks)
  const counts: ServerCounts = { requests: 0, writes: 0, exceptions: 0, refused: 0, displaced: 0, faults: 0 }
  /** In the order of their last requests. */
  const sockets = new Map<Socket, string>()
  let lastRequest = -Infinity
  let closing: Promise<void> | undefined

  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 }, (socket) => {
    // A connection may be gone before it is looked at.
    socket.on('error', () => socket.destroy())
    const address = plainAddress(socket.remoteAddress ?? '')
    if (!isAllowed(address)) {
      counts.refused++
      socket.destroy()
      return onRefused?.(address)
    }
    const [silent] = sockets.keys()
    if (silent && sockets.size >= settings.connections) {
      counts.displaced++
      silent.destroy()
      sockets.delete(silent)
    }
    sockets.set(socket, address)
    socket.setTimeout(settings.idle, () => socket.destroy())
    socket.once('close', () => {
      if (sockets.delete(socket)) onClients?.([...sockets.values()])
    })
    onClients?.([...sockets.values()])
    serveConnection(
      { socket, address, unit: settings.unit, memory, counts },
      {
        onRequest: () => {
          lastRequest = performance.now()
          sockets.delete(socket)
          sockets.set(socket, address)
        },
        onWrite,
        onFault: (error) => onError?.(error),
      },
    )
  })
  await listen(server, settings)
  server.on('error', (error: NodeJS.ErrnoException) => onError?.(notListening(error, settings)))
  const { address: host, port } = server.address() as AddressInfo

  return {
    host,
    port,
    counts,
    get lastRequest() {
      return lastRequest
    },
    get clients() {
      return [...sockets.values()]
    },
    set: (items) => {
      for (const { area, address, value } of items) memory.set(area, address, value)
    },
    read: (area, address, count) => memory.read(area, address, count),
    close: () => (closing ??= close(server, sockets.keys())),
  }
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  const listening = once(server, 'listening')
  server.listen({ host, port })
  try {
    await listening
  } catch (error) {
    throw notListening(error as NodeJS.ErrnoException, { host, port })
  }
}

async function close(server: Server, sockets: Iterable<Socket>): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  for (const socket of sockets) socket.destroy()
  await closed
}

function notListening(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: { host: string; port: number },
): PlcError {
  const reason = code ?? message
  const key =
    reason === 'EADDRINUSE'
      ? 'modbus-port-taken'
      : reason === 'EACCES'
        ? 'modbus-port-reserved'
        : reason === 'EADDRNOTAVAIL'
          ? 'modbus-own-address'
          : 'modbus-not-listening'
  return modbusError({ code: 'INVALID_INPUT', key, values: { host, port, reason }, cause: { reason } })
}
