import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { allowedHosts, plainAddress } from '../hosts/allowed-hosts'

/** Why nobody can connect. */
export class ListenFailure extends Error {
  override readonly name = 'ListenFailure'

  constructor(
    /** `taken`: something else listens there; `reserved`: a right is missing; `not-ours`: no address of this computer. */
    readonly reason: 'taken' | 'reserved' | 'not-ours' | 'other',
    /** Of the system, for example `EADDRINUSE`. */
    readonly code: string,
    host: string,
    port: number,
  ) {
    super(`cannot listen on port ${String(port)} of ${host}: ${code}`)
  }
}

/** Where robots connect, and which. */
export interface ListenOptions {
  /** Own address; `0.0.0.0` and `::` are all. */
  host: string
  /** 0 is any that is free. */
  port: number
  /** Addresses, or networks such as `192.168.0.0/24`, that may connect. @throws NotAHost for anything else */
  allow: readonly string[]
  /** Most connections at a time. */
  connections: number
}

/** What robots do. */
export interface ListenEvents {
  onRobot: (socket: Socket, address: string) => void
  /** A host that may not, or one too many. */
  onRefused: (address: string, reason: 'not-allowed' | 'too-many') => void
}

const reasons: Partial<Record<string, ListenFailure['reason']>> = {
  EADDRINUSE: 'taken',
  EACCES: 'reserved',
  EADDRNOTAVAIL: 'not-ours',
}

/** A port that robots connect to. */
export interface Listener {
  readonly host: string
  readonly port: number
  /** Ends all connections, and resolves when nothing is left. */
  close: () => Promise<void>
}

/** @throws ListenFailure, NotAHost */
export async function listen(
  { host, port, allow, connections }: ListenOptions,
  { onRobot, onRefused }: ListenEvents,
): Promise<Listener> {
  const isAllowed = allowedHosts(allow)
  const sockets = new Set<Socket>()
  const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 }
  const server = createServer(options, (socket) => {
    socket.on('error', () => socket.destroy())
    const address = plainAddress(socket.remoteAddress ?? '')
    const refused = !isAllowed(address) ? 'not-allowed' : sockets.size >= connections ? 'too-many' : undefined
    if (refused) {
      socket.destroy()
      onRefused(address, refused)
      return
    }
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    onRobot(socket, address)
  })
  await listening(server, host, port)
  // A server that fails later, such as for lack of file handles, still listens.
  server.on('error', () => undefined)
  const own = server.address() as AddressInfo
  let closing: Promise<void> | undefined
  return { host: own.address, port: own.port, close: () => (closing ??= close(server, sockets)) }
}

async function listening(server: Server, host: string, port: number): Promise<void> {
  const isListening = once(server, 'listening')
  server.listen({ host, port })
  try {
    await isListening
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new ListenFailure(reasons[code] ?? 'other', code, host, port)
  }
}

async function close(server: Server, sockets: Iterable<Socket>): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  for (const socket of sockets) socket.destroy()
  await closed
}
