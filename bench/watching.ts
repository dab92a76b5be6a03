import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BenchRow } from './row'
import type { Cost } from './support/watching-node-red'

const devices = 1000
const processes = 4
const seconds = 20

/** A thousand devices checked once a second by one Node-RED, beside its own `http request` nodes. */
export async function run(): Promise<BenchRow[]> {
  const fleet = Array.from({ length: processes }, () =>
    fork(join(__dirname, 'support', 'many-devices.js'), [String(devices / processes)]),
  )
  try {
    const lists = await Promise.all(fleet.map((child) => nextMessage<string[]>(child)))
    const urls = lists.flat()
    const requests = async () => {
      for (const child of fleet) child.send('count')
      const counts = await Promise.all(fleet.map((child) => nextMessage<number>(child)))
      return counts.reduce((sum, count) => sum + count)
    }
    const nothing = await costOf([tab], requests)
    const ours = await costOf([tab, ...urls.flatMap(healthCheck)], requests)
    const theirs = await costOf([tab, ...urls.flatMap(httpRequest)], requests)
    const memory = ({ memory: bytes }: Cost) => (bytes - nothing.memory) / devices / 1024
    /** Microseconds of CPU time. */
    const cpu = ({ share, rate }: Measured) => (1e6 * (share - nothing.share)) / rate
    const against = "Node-RED's http request"
    return [
      { what: `${devices} devices checked once a second`, value: 100 * ours.share, unit: '% of a core' },
      { what: 'checks that the devices had', value: ours.rate, unit: 'a second' },
      { what: 'CPU a check', value: cpu(ours), unit: 'µs', against, ratio: cpu(ours) / cpu(theirs) },
      {
        what: 'memory a device',
        value: memory(ours),
        unit: 'KiB',
        against,
        ratio: memory(ours) / memory(theirs),
      },
    ]
  } finally {
    for (const child of fleet) child.disconnect()
  }
}

interface Measured extends Cost {
  rate: number
}

const tab = { id: 'tab', type: 'tab', label: 'bench' }

/** Unused devices are not monitored. */
const healthCheck = (address: string, index: number) => [
  { id: `device${index}`, type: 'vision-device-config', name: '', address, healthInterval: 1 },
  { id: `get${index}`, z: 'tab', type: 'vision-get-parameter', device: `device${index}`, wires: [[]] },
]

const httpRequest = (url: string, index: number) => [
  {
    id: `every${index}`,
    z: 'tab',
    type: 'inject',
    props: [],
    repeat: '1',
    once: true,
    onceDelay: 0.1 + (index % 100) / 100,
    wires: [[`ask${index}`]],
  },
  {
    id: `ask${index}`,
    z: 'tab',
    type: 'http request',
    method: 'GET',
    ret: 'obj',
    persist: true,
    url: `${url}/api/v2/system`,
    wires: [[]],
  },
]

/** CPU cost, and requests per second. */
async function costOf(flow: object[], requests: () => Promise<number>): Promise<Measured> {
  const child = fork(join(__dirname, 'support', 'watching-node-red.js'), [String(seconds)])
  child.send(flow)
  await nextMessage(child)
  const before = await requests()
  const cost = await nextMessage<Cost>(child)
  const rate = ((await requests()) - before) / seconds
  child.kill()
  await once(child, 'exit')
  return { ...cost, rate }
}

async function nextMessage<What>(child: ChildProcess): Promise<What> {
  const [message] = (await once(child, 'message')) as [What]
  return message
}
