import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { dial, type DialAddress } from '../kernel/dial'
import type { LinkSettings } from './options'
import { type TakePiece, ReadingTurn } from './frame-splitter'
import { StreamTap } from './stream-tap'

/** Bytes that a stream may have on the way: about one set. More would only hold stale sets. */
const streamWindow = 1024 * 1024
/** Milliseconds of silence after which the system asks whether the device is still there; then it asks every second. */
const keptAliveAfter = 5000
/** Megabytes that Node.js may hold for a connection. */
const sessionMemory = 64

/** Bytes that are read at once, into the same memory again and again. */
const readBytes = 256 * 1024

/**
 * Opens an HTTP/2 connection. The socket is given too: it reports more about a failure than the session.
 * @param content takes the content of the first stream
 * @throws ErrnoException; the reason of the abort
 */
export async function openSession(
  { host, port, tls }: LinkSettings,
  content: TakePiece,
  signal: AbortSignal,
): Promise<{ session: ClientHttp2Session; socket: Socket; tap: StreamTap }> {
  /** Set before anything can arrive. */
  const reading: { tap?: StreamTap } = {}
  const open = (address: DialAddress): Socket => {
    const turn = new ReadingTurn(() => opening.resume())
    const onread = {
      buffer: Buffer.allocUnsafeSlow(readBytes),
      callback: (length: number, buffer: Uint8Array) =>
        turn.take(() => reading.tap?.arrived(Buffer.from(buffer.buffer, buffer.byteOffset, length))),
    }
    const opening: Socket = tls
      ? connectTls({
          ...tls,
          ...{ host: address.host, port, ALPNProtocols: ['h2'], onread },
          servername: tls.servername ?? (isIP(host) ? '' : host),
        })
      : connectTcp({ host: address.host, port, onread })
    return opening
  }
  // The deadline is that of the attempt, which includes the answer of the device.
  const socket = await dial({ host, port, timeout: 0, signal, open })
  const tap = new StreamTap(socket, { window: streamWindow, content })
  reading.tap = tap
  // No HTTP/2 pings: devices close the connection because of them.
  socket.setNoDelay(true).setKeepAlive(true, keptAliveAfter)
  const authority = `${tls ? 'https' : 'http'}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const session = connectHttp2(authority, {
    createConnection: () => tap,
    maxSessionMemory: sessionMemory,
    settings: { initialWindowSize: streamWindow, enablePush: false },
  })
  session.once('connect', () => {
    if (!session.destroyed) session.setLocalWindowSize(2 * streamWindow)
  })
  return { session, socket, tap }
}
