import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { listening } from './listening'

interface RefusingDevice {
  url: string
  /** Blocks this thread until the device has answered and reset a connection. */
  waitForReset: () => void
  stop: () => Promise<unknown>
}

interface RefusingOptions {
  resets: Int32Array
  tls: TlsOptions | undefined
}

/** In a thread; refuses every upload as too large, and disconnects before it is complete. @param tls certificate and key */
export async function startRefusingDevice(tls?: TlsOptions): Promise<RefusingDevice> {
  const resets = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(__filename, { workerData: { resets, tls } satisfies RefusingOptions })
  const [url] = (await once(worker, 'message')) as [string]
  return {
    url: tls ? url.replace('http:', 'https:').replace('127.0.0.1', 'localhost') : url,
    waitForReset: () => {
      if (Atomics.wait(resets, 0, 0, 5000) === 'timed-out') throw new Error('no connection was reset')
    },
    stop: () => worker.terminate(),
  }
}

const body = '{"message":"too large"}'
const refusal = [
  'HTTP/1.1 413 Payload Too Large',
  'content-type: application/json',
  `content-length: ${body.length}`,
  '',
  body,
].join('\r\n')

if (!isMainThread) {
  const { resets, tls } = workerData as RefusingOptions
  /** Only the TCP connection below TLS can be reset. */
  let below: Socket | undefined
  const serve = (socket: Socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.pause().write(refusal, () => (below ?? socket).resetAndDestroy()))
    socket.on('close', () => {
      Atomics.store(resets, 0, 1)
      Atomics.notify(resets, 0)
    })
  }
  const server = tls
    ? createTlsServer(tls, serve).on('connection', (socket: Socket) => (below = socket))
    : createServer(serve)
  void listening(server).then(({ url }) => parentPort?.postMessage(url))
}
