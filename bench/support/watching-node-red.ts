// A Node-RED in a process of its own: node watching-node-red.js SECONDS. Receives a flow, runs it, reports when the flow
// has settled, and then its cost.
import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedNodeRed } from './embedded-node-red'

/** The resources used by the process. */
export interface Cost {
  /** Share of one core over the measured time. */
  share: number
  /** Resident bytes. */
  memory: number
}

const seconds = Number(process.argv[2])
/** Seconds for opening connections and warming up. */
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
