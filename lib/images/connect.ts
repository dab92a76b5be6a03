import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { LinkSettings } from './check-options'

/** Bytes that a stream may have on the way: about one set. More would only hold stale sets. */
const streamWindow = 1024 * 1024
/** Milliseconds of silence after which the system asks whether the device is still there; then it asks every second. */
const keptAliveAfter = 5000
/** Megabytes that Node.js may hold for a connection. */
const sessionMemory = 64

/** Opens an HTTP/2 connection. The socket is given too: it reports more about a failure than the session. */
export function openSession({ host, port, tls }: LinkSettings): {
  session: ClientHttp2Session
  socket: Socket
} {
  const socket = tls
    ? connectTls({
        ...tls,
        ...{ host, port, ALPNProtocols: ['h2'] },
        servername: tls.servername ?? (isIP(host) ? '' : host),
      })
    : connectTcp({ host, port })
  // No HTTP/2 pings: devices close the connection because of them.
  socket.once('connect', () => socket.setNoDelay(true).setKeepAlive(true, keptAliveAfter))
  const authority = `${tls ? 'https' : 'http'}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const session = connectHttp2(authority, {
    createConnection: () => socket,
    maxSessionMemory: sessionMemory,
    settings: { initialWindowSize: streamWindow, enablePush: false },
  })
  session.once('connect', () => session.setLocalWindowSize(2 * streamWindow))
  return { session, socket }
}
