// A scraped Node-RED. Receives a flow, sends the address of its metrics; `cost` is its CPU time, `watch` … `pause` the longest
// pause of its event loop.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import RED from 'node-red'
import { embeddedNodeRed } from './embedded-node-red'

process.once('message', (flow: object[]) => void serve(flow))

async function serve(flow: object[]) {
  await embeddedNodeRed(flow, { httpAdminRoot: '/', disableEditor: true })
  const server = createServer((request, response) => void RED.httpAdmin(request as never, response as never))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  process.on('message', (question: string) => answer(question))
  process.send?.(`http://127.0.0.1:${port}/vision-devices/metrics`)
}

let isWatching = false
let longest = 0

function answer(question: string) {
  if (question === 'cost') {
    const { user, system } = process.cpuUsage()
    process.send?.((user + system) / 1000)
  } else if (question === 'watch') {
    isWatching = true
    longest = 0
    sample(performance.now())
    process.send?.(0)
  } else {
    isWatching = false
    process.send?.(longest)
  }
}

/** How long anything else holds the event loop. */
function sample(before: number) {
  const now = performance.now()
  longest = Math.max(longest, now - before)
  if (isWatching) setImmediate(sample, now)
}
