// node watching-node-red.js SECONDS: Node-RED in a process. Receives a flow; reports when it has settled, then its cost.
import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedNodeRed } from './embedded-node-red'

export interface Cost {
  /** Of one core. */
  share: number
  /** Resident bytes. */
  memory: number
}

const seconds = Number(process.argv[2])
/** For connections and warm-up. */
const settling = 8

process.once('message', (flow: object[]) => void measure(flow))

async function measure(flow: object[]) {
  await embeddedNodeRed(flow)
  await sleep(settling * 1000)
  process.send?.('settled')
  const [cpu, started] = [process.cpuUsage(), performance.now()]
  await sleep(seconds * 1000)
  const { user, system } = process.cpuUsage(cpu)
  const share = (user + system) / 1000 / (performance.now() - started)
  process.send?.({ share, memory: process.memoryUsage().rss } satisfies Cost)
}
