import { setTimeout as sleep } from 'node:timers/promises'
import { counts } from '../flow-nodes/bench-count'
import type { BenchRow } from '../row'
import { deviceProgram, startDynamics } from './device-program'
import { embeddedNodeRed } from './embedded-node-red'
import { fourStreams } from './stream-arrival'

const streams = Object.keys(fourStreams)

/** A whole Node-RED that receives four streams and forwards each message; the device is another process. */
export async function flowRow(seconds: number): Promise<BenchRow> {
  const device = await deviceProgram()
  const nodeRed = await embeddedNodeRed(flow(device.url))
  try {
    await startDynamics(device.url)
    await sleep(4000)
    const before = { cpu: process.cpuUsage(), counts: new Map(counts), at: performance.now() }
    await sleep(seconds * 1000)
    const { user, system } = process.cpuUsage(before.cpu)
    const elapsed = (performance.now() - before.at) / 1000
    const rates = streams.map((id) => ((counts.get(id) ?? 0) - (before.counts.get(id) ?? 0)) / elapsed)
    if (rates.some((rate) => rate < 198)) throw new Error(`the streams came at ${rates.join(', ')} Hz only`)
    return {
      what: `a Node-RED receiving four streams at 200 Hz for ${seconds} s`,
      value: (user + system) / elapsed / 1e4,
      unit: '% of a core',
    }
  } finally {
    await nodeRed.stop()
    await device.stop()
  }
}

const flow = (address: string) => [
  { id: 'tab', type: 'tab', label: 'bench' },
  { id: 'device', type: 'vision-device-config', name: '', address },
  ...streams.flatMap((stream) => [
    {
      id: `receive-${stream}`,
      z: 'tab',
      type: 'vision-stream-receive',
      device: 'device',
      stream,
      streamType: 'str',
      output: 'every',
      wires: [[stream], []],
    },
    { id: stream, z: 'tab', type: 'bench-count' },
  ]),
]
