// A Node-RED in a process of its own: node fleet-node-red.js SECONDS. It is sent a flow, runs it, says when the flow has
// settled, and then what it cost.
import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedNodeRed } from './embedded-node-red'

/** What the process used, and how much of it. */
export interface Cost {
  /** Of one core, over the time measured. */
  share: number
  /** Resident bytes. */
  memory: number
}

const seconds = Number(process.argv[2])
/** Time in which connections are made and code gets warm, s. */
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
