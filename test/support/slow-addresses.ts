import { createRequire } from 'node:module'
import type * as Dns from 'node:dns'
import { connect, type LookupFunction, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'

const dns = createRequire(__filename)('node:dns') as { lookup: typeof Dns.lookup }

/** Forwards to 127.0.0.1; until the gate opens, connections wait in a queue that is full after two. */
const forwarder = `
const { workerData: { host, port, gate }, parentPort } = require('node:worker_threads')
const { connect, createServer } = require('node:net')
const server = createServer((socket) => {
  const target = connect(port, '127.0.0.1')
  for (const [from, to] of [[socket, target], [target, socket]]) {
    from.pipe(to)
    from.on('error', () => undefined)
    from.on('close', () => to.destroy())
  }
})
server.on('error', ({ message }) => parentPort.postMessage(message))
server.listen({ host, port, backlog: 1 }, () => {
  parentPort.postMessage('listening')
  Atomics.wait(new Int32Array(gate), 0, 0)
})`

/** Two addresses for a port of 127.0.0.1: one answers after a retransmission (1 s), as on a lossy link; the other never. */
export function slowName() {
  const name = 'slow-cell.test'
  const { lookup } = dns
  const workers: { worker: Worker; open: () => void }[] = []
  const fillers: Socket[] = []

  const block = async (host: string, port: number) => {
    const gate = new SharedArrayBuffer(4)
    const worker = new Worker(forwarder, { eval: true, workerData: { host, port, gate } })
    const open = () => {
      Atomics.store(new Int32Array(gate), 0, 1)
      Atomics.notify(new Int32Array(gate), 0)
    }
    workers.push({ worker, open })
    const problem = await new Promise<string>((resolve) => worker.once('message', resolve))
    if (problem !== 'listening') throw new Error(problem)
    for (let full = 0; full < 2; full++) {
      const filler = connect(port, host)
      filler.on('error', () => undefined)
      fillers.push(filler)
      await new Promise((resolve) => filler.once('connect', resolve))
    }
    return open
  }

  after(async () => {
    dns.lookup = lookup
    for (const filler of fillers) filler.destroy()
    for (const { worker, open } of workers) {
      open()
      await worker.terminate()
    }
  })

  return {
    name,
    /** Points the name to this port. */
    lead: async (port: number): Promise<void> => {
      const [slow, silent] = ['127.0.0.41', '127.0.0.42']
      const open = await block(slow, port)
      await block(silent, port)
      const found: LookupFunction = (host, options, callback) => {
        if (host !== name) lookup(host, options, callback as never)
        else {
          // Node.js itself drops an attempt after 250 ms.
          setTimeout(open, 400)
          process.nextTick(callback, null, [
            { address: slow, family: 4 },
            { address: silent, family: 4 },
          ])
        }
      }
      dns.lookup = found as typeof Dns.lookup
    },
  }
}
