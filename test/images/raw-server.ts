import {
  createServer as createHttp2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A server that does as it is told, to try what a correct one never does. */
export interface RawServer {
  port: number
  stop: () => Promise<void>
}

type Behaviour = (stream: ServerHttp2Stream, session: ServerHttp2Session) => void

/** Speaks HTTP/2, and nothing else by itself. @param behave called as soon as the request is complete */
export async function startRawServer(behave: Behaviour): Promise<RawServer> {
  const server = createHttp2Server()
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('error', () => undefined)
    session.once('close', () => sessions.delete(session))
  })
  server.on('stream', (stream) => {
    stream.on('error', () => undefined)
    stream.resume().once('end', () => behave(stream, stream.session as ServerHttp2Session))
  })
  return {
    port: await listening(server),
    stop: () => stopped(server, sessions),
  }
}

/** Accepts connections. */
export async function startTcpServer(accept: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    accept(socket)
  })
  return { port: await listening(server), stop: () => stopped(server, sockets) }
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )

const stopped = (server: Server, open: Iterable<{ destroy: () => void }>): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    for (const one of open) one.destroy()
  })

/** Answers as a gRPC server does before the first message. */
export const accept = (stream: ServerHttp2Stream): void =>
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })

/** Ends the stream with a status. */
export function finish(stream: ServerHttp2Stream, status: string): void {
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status }))
  stream.end()
}

/** A message with its prefix. @param length announced, if it is not the message's own */
export function framed(message: Buffer, length = message.length, flag = 0): Buffer {
  const prefix = Buffer.alloc(5)
  prefix[0] = flag
  prefix.writeUInt32BE(length, 1)
  return Buffer.concat([prefix, message])
}
