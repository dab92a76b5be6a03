import { once } from 'node:events'
import { createServer } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { listening } from './listening'

interface RefusingDevice {
  url: string
  /** Stands still, the whole thread of the caller, until the device has answered and reset a connection. */
  waitForReset: () => void
  stop: () => Promise<unknown>
}

/** A device in a thread of its own that refuses whatever is sent as too large, and is gone before it was sent. */
export async function startRefusingDevice(): Promise<RefusingDevice> {
  const resets = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(__filename, { workerData: resets })
  const [url] = (await once(worker, 'message')) as [string]
  return {
    url,
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
  const resets = workerData as Int32Array
  const server = createServer((socket) => {
    socket.once('data', () => socket.pause().write(refusal, () => socket.resetAndDestroy()))
    socket.on('close', () => {
      Atomics.store(resets, 0, 1)
      Atomics.notify(resets, 0)
    })
  })
  void listening(server).then(({ url }) => parentPort?.postMessage(url))
}
