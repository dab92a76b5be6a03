import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { createServer as createPlainServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { listening } from './listening'

interface Received {
  method: string
  /** With query. */
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export type Behaviour = (response: ServerResponse, request: Received) => void

export interface MisbehavingServer {
  url: string
  /** Complete requests, in order. */
  received: Received[]
  /** Present connections. */
  open: () => number
  /** Total connections. */
  connections: () => number
  /** One per request; the last is repeated. */
  behave: (...behaviours: [Behaviour, ...Behaviour[]]) => void
  /** Before anything is read. */
  resetConnections: (count: number) => void
  /** Total requests. */
  arrived: (count: number) => Promise<void>
  /** No connection is open. */
  deserted: () => Promise<void>
  stop: () => Promise<void>
}

/** On a free port; handles each request as scripted. */
export async function startMisbehavingServer(tls?: ServerOptions): Promise<MisbehavingServer> {
  const watched = watchSockets()
  const received: Received[] = []
  let behaviours: Behaviour[] = [json({})]
  let toReset = 0

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await read(incoming)
    if (!request) return
    received.push(request)
    const behaviour = behaviours.length > 1 ? behaviours.shift() : behaviours[0]
    behaviour?.(response, request)
    watched.notify()
  }
  const listener = (incoming: IncomingMessage, response: ServerResponse) => void answer(incoming, response)
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket: Socket) => {
    watched.add(socket)
    if (toReset-- > 0) socket.resetAndDestroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const { port } = server.address() as AddressInfo
  return {
    url: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    received,
    open: () => watched.sockets.size,
    connections: () => watched.made,
    behave: (...next) => {
      behaviours = next
    },
    resetConnections: (count) => {
      toReset = count
    },
    arrived: (count) => watched.until(() => received.length >= count),
    deserted: () => watched.until(() => watched.sockets.size === 0),
    stop: () => watched.stop(server),
  }
}

function watchSockets() {
  const watchers = new Set<() => void>()
  const watched = {
    sockets: new Set<Socket>(),
    made: 0,
    notify: () => {
      for (const watcher of [...watchers]) watcher()
    },
    until: (condition: () => boolean) =>
      new Promise<void>((resolve) => {
        const watcher = () => {
          if (!condition()) return
          watchers.delete(watcher)
          resolve()
        }
        watchers.add(watcher)
        watcher()
      }),
    add: (socket: Socket) => {
      watched.made++
      watched.sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        watched.sockets.delete(socket)
        watched.notify()
      })
      watched.notify()
      return socket
    },
    stop: (server: Server) =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of watched.sockets) socket.destroy()
      }),
  }
  return watched
}

async function read(incoming: IncomingMessage): Promise<Received | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
  } catch {
    return undefined // the client disconnected
  }
  const { method = '', url = '', headers } = incoming
  return { method, url, headers, body: Buffer.concat(chunks) }
}

interface MuteServer {
  /** https */
  url: string
  connections: () => number
  connected: () => Promise<void>
  /** No connection is open. */
  deserted: () => Promise<void>
  stop: () => Promise<void>
}

/** Accepts connections and sends nothing: a TLS client waits forever. */
export async function startMuteServer(): Promise<MuteServer> {
  const watched = watchSockets()
  const server = createPlainServer((socket) => watched.add(socket).resume())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => watched.made,
    connected: () => watched.until(() => watched.made > 0),
    deserted: () => watched.until(() => watched.sockets.size === 0),
    stop: () => watched.stop(server),
  }
}

export async function closedAddress(): Promise<string> {
  const { url, stop } = await listening(createPlainServer())
  await stop()
  return url
}

export const reply =
  (status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end(body)
  }

export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Behaviour =>
  reply(status, JSON.stringify(value), { 'content-type': 'application/json', ...headers })

/** Never answers. */
export const silence: Behaviour = () => undefined

/** Bypasses HTTP. */
const raw =
  (text: string, then?: (socket: Socket) => void): Behaviour =>
  ({ socket }) => {
    socket?.write(text, 'latin1', () => then?.(socket))
  }

export const stallInHeaders = raw('HTTP/1.1 200 OK\r\ncontent-type: appl')
export const stallInBody = raw('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"name": "fp')
export const garbage = raw('\x00\x01\x02 this is not HTTP \xff\xfe\r\n\r\n')
export const endInBody = raw('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"name": "fp', (socket) => {
  socket.end()
})

/** After the request was read and possibly executed. */
export const reset: Behaviour = ({ socket }) => {
  socket?.resetAndDestroy()
}
export const hangUp: Behaviour = ({ socket }) => {
  socket?.end()
}

/** As fast as it is read. */
export const endless: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(64 * 1024, ' ')
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}

/** One byte per turn. */
export const slowly =
  (body: string): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    const bytes = Buffer.from(body)
    const next = (at: number) => {
      if (response.destroyed) return
      if (at === bytes.length) response.end()
      else response.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1))
    }
    next(0)
  }
