import { once } from 'node:events'
import { createServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { GrpcCall } from './grpc-call'

/** Milliseconds without a byte after which a vanished client is looked for. */
const keepAlive = 30_000
/** Connections at a time. A further one takes the place of the oldest without a call. */
const mostConnections = 64
/** Calls at a time on one connection. */
const mostCalls = 100

/** A gRPC server on one port, without TLS. */
export interface GrpcServer {
  port: number
  /** Closes the port and resets all connections. */
  close: () => Promise<void>
}

/** Answers a method once its request is there. */
export type GrpcHandler = (call: GrpcCall, request: Uint8Array) => void

interface GrpcServerOptions {
  host: string
  port: number
  /** Milliseconds for a request from its first frame to its last. @default 10000 */
  requestWithin?: number
}

/** Listens on a port. @param methods by their path, `/Service/Method`. Rejects with the error of `listen`. */
export async function grpcServer(
  methods: Readonly<Record<string, GrpcHandler>>,
  { host, port, requestWithin = 10_000 }: GrpcServerOptions,
): Promise<GrpcServer> {
  const server = createServer({ settings: { enablePush: false, maxConcurrentStreams: mostCalls } })
  /** Calls of each session, the oldest session first. */
  const sessions = new Map<ServerHttp2Session, Set<object>>()
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    socket.setKeepAlive(true, keepAlive).setNoDelay(true)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  /** When sessions without a call began. */
  const fresh = new WeakMap<object, number>()
  server.on('session', (session) => {
    sessions.set(session, new Set())
    fresh.set(session, performance.now())
    session.on('error', () => undefined)
    session.on('close', () => sessions.delete(session))
    if (sessions.size <= mostConnections) return
    const [idle = session] = [...sessions].find(([, calls]) => calls.size === 0) ?? []
    idle.destroy()
  })
  server.on('sessionError', () => undefined)
  server.on('stream', (stream, headers) => {
    const { session } = stream
    const since = (session && fresh.get(session)) ?? performance.now()
    if (session) fresh.delete(session)
    const calls = session && sessions.get(session as ServerHttp2Session)
    calls?.add(stream)
    stream.once('close', () => calls?.delete(stream))
    const call = new GrpcCall(stream, headers, since)
    const method = headers[':path'] ?? ''
    const handle = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (handle) call.onRequest((request) => handle(call, request), requestWithin)
    else call.end({ status: 'UNIMPLEMENTED', message: 'Method not found!' })
  })
  server.listen({ host, port })
  await once(server, 'listening')
  server.on('error', () => undefined)
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const session of sessions.keys()) session.destroy()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
