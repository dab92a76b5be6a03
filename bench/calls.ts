import { request } from 'undici'
import { startInWorker } from '../virtual-device'
import { loops, type LoopResult } from './flow-nodes/bench-loop'
import { median, quantile, type BenchRow } from './row'
import { embeddedNodeRed } from './support/embedded-node-red'

const rounds = 5
const seconds = 2
const path = '/api/v2/pipelines/0/nodes/dev_camera/parameters/fps'

/** `get-parameter` in a flow, beside Node-RED's own `http request` node and a bare undici loop. */
export async function run(): Promise<BenchRow[]> {
  const device = await startInWorker({ port: 0 })
  const url = `${device.url}${path}`
  const nodeRed = await embeddedNodeRed(flow(device.url, url))
  try {
    const rows: BenchRow[] = []
    for (const inFlight of [1, 16]) rows.push(...(await compare(url, inFlight)))
    return rows
  } finally {
    await nodeRed.stop()
    await device.stop()
  }
}

async function compare(url: string, inFlight: number): Promise<BenchRow[]> {
  const variants: Record<string, () => Promise<LoopResult>> = {
    'get-parameter': () => loopOf('loop-ours')(inFlight, seconds),
    'http request': () => loopOf('loop-http')(inFlight, seconds),
    'undici.request': () => bareLoop(url, inFlight),
  }
  const measured: Record<string, LoopResult[]> = {}
  for (let round = -1; round < rounds; round++) {
    for (const [name, measure] of Object.entries(variants)) {
      const result = await measure()
      // The first round warms up.
      if (round >= 0) (measured[name] ??= []).push(result)
    }
  }
  return Object.entries(measured).flatMap(([name, results]) => {
    const what = `${name}, ${inFlight} in flight`
    const ratios = (other: string) =>
      median(results.map((result, round) => rate(result) / rate(at(measured[other], round))))
    const against = name === 'get-parameter' ? ['http request', 'undici.request'] : []
    const value = median(results.map(rate))
    const latencies = results.flatMap((result) => result.latencies)
    return [
      ...(against.length ? [] : [{ what, value, unit: 'messages/s' }]),
      ...against.map((other) => ({ what, value, unit: 'messages/s', against: other, ratio: ratios(other) })),
      { what: `${what}, p50`, value: quantile(latencies, 0.5), unit: 'ms' },
      { what: `${what}, p99`, value: quantile(latencies, 0.99), unit: 'ms' },
      { what: `${what}, CPU`, value: median(results.map(cpuPerMessage)), unit: 'µs/message' },
    ]
  })
}

const rate = ({ messages, seconds: elapsed }: LoopResult) => messages / elapsed
const cpuPerMessage = ({ messages, cpuSeconds }: LoopResult) => (cpuSeconds / messages) * 1e6

function at<T>(list: readonly T[] | undefined, index: number): T {
  const item = list?.[index]
  if (item === undefined) throw new Error(`nothing was measured in round ${index}`)
  return item
}

function loopOf(id: string) {
  const loop = loops.get(id)
  if (!loop) throw new Error(`the flow has no running loop ${id}`)
  return loop
}

/** Lower bound of a client: no deadline, limits or order. */
async function bareLoop(url: string, inFlight: number): Promise<LoopResult> {
  const latencies: number[] = []
  const cpu = process.cpuUsage()
  const started = performance.now()
  const worker = async () => {
    while (performance.now() - started < seconds * 1000) {
      const sent = performance.now()
      const { body } = await request(url)
      await body.json()
      latencies.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  const { user, system } = process.cpuUsage(cpu)
  const elapsed = (performance.now() - started) / 1000
  return { messages: latencies.length, seconds: elapsed, cpuSeconds: (user + system) / 1e6, latencies }
}

const flow = (address: string, url: string) => [
  { id: 'tab', type: 'tab', label: 'bench' },
  {
    id: 'device',
    type: 'vision-device-config',
    name: '',
    address,
    concurrency: 16,
    queue: 100,
    healthInterval: 5,
  },
  { id: 'loop-ours', z: 'tab', type: 'bench-loop', wires: [['ours']] },
  {
    id: 'ours',
    z: 'tab',
    type: 'vision-get-parameter',
    device: 'device',
    pipeline: '0',
    pipelineType: 'str',
    node: 'dev_camera',
    nodeType: 'str',
    which: 'one',
    parameter: 'fps',
    parameterType: 'str',
    output: 'value',
    property: 'payload',
    wires: [['loop-ours']],
  },
  { id: 'loop-http', z: 'tab', type: 'bench-loop', wires: [['http']] },
  { id: 'http', z: 'tab', type: 'http request', method: 'GET', ret: 'obj', url, wires: [['loop-http']] },
]
