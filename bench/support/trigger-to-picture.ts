import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { loops } from '../flow-nodes/bench-loop'
import { quantile, type BenchRow } from '../row'
import { deviceProgram } from './device-program'
import { embeddedNodeRed } from './embedded-node-red'

const seconds = 30
/** Uncounted: compiling, opening connections. */
const warmUp = 5

/** By the clock of the cell. */
interface DeviceTime {
  /** Milliseconds for the query of the camera's mode. */
  answered: number
  /** Trigger received; bytes of images since. */
  triggered: number
  sent: number[]
}

/** From a message at `acquire` to the raw picture, without the device: its answer before the trigger, trigger to last byte. */
export const triggerRows = async (): Promise<BenchRow[]> => [
  ...(await rowsOf(true)),
  ...(await rowsOf(false)),
]

async function rowsOf(staysOpen: boolean): Promise<BenchRow[]> {
  const device = await deviceProgram()
  const own: DeviceTime[] = []
  let askedAt: number | undefined
  let answered = 0
  const calls = await relay(Number(new URL(device.url).port), {
    toDevice: (bytes) => {
      if (bytes.includes('/parameters')) askedAt = performance.now()
      if (!bytes.includes('/services/acquisition_trigger')) return
      own.push({ answered, triggered: performance.now(), sent: [] })
      answered = 0
    },
    fromDevice: () => {
      if (askedAt !== undefined) answered += performance.now() - askedAt
      askedAt = undefined
    },
  })
  const images = await relay(device.imagePort, {
    fromDevice: () => void own.at(-1)?.sent.push(performance.now()),
  })
  const nodeRed = await embeddedNodeRed(flow(calls.port, images.port, staysOpen))
  try {
    await sleep(1000)
    const { latencies, ends } = (await loops.get('loop')?.(1, seconds)) ?? { latencies: [], ends: [] }
    if (own.length !== latencies.length)
      throw new Error(`${own.length} triggers for ${latencies.length} pictures`)
    // Later bytes of a closed stream do not belong to the set.
    const lastByte = (index: number) => own[index]?.sent.findLast((at) => at <= (ends[index] ?? 0)) ?? NaN
    const beyond = latencies
      .map((total, index) => {
        const { answered, triggered } = own[index] ?? { answered: NaN, triggered: NaN }
        return total - answered - (lastByte(index) - triggered)
      })
      .slice(warmUp)
    const stream = staysOpen ? 'open' : 'opened each time'
    const what = `trigger to picture beyond the device's own time, stream ${stream}`
    return [
      { what: `${what}, p50`, value: quantile(beyond, 0.5), unit: 'ms' },
      { what: `${what}, p95`, value: quantile(beyond, 0.95), unit: 'ms' },
    ]
  } finally {
    await nodeRed.stop()
    await Promise.all([calls.stop(), images.stop()])
    await device.stop()
  }
}

const flow = (port: number, imagePort: number, staysOpen: boolean) => [
  { id: 'tab', type: 'tab', label: 'bench' },
  { id: 'device', type: 'vision-device-config', name: '', address: `http://127.0.0.1:${port}`, imagePort },
  { id: 'loop', z: 'tab', type: 'bench-loop', wires: [['acquire']] },
  {
    ...{
      id: 'acquire',
      z: 'tab',
      type: 'vision-acquire',
      device: 'device',
      pipeline: '0',
      pipelineType: 'str',
    },
    ...{ node: 'dev_stereomatching', nodeType: 'str', staysOpen },
    ...{ left: 'grey', depth: 'none', cloud: 'none', picturesAs: 'raw' },
    wires: [['loop'], []],
  },
]

interface Relay {
  port: number
  stop: () => Promise<void>
}

/** Forwards a port, and lets others watch. */
async function relay(
  port: number,
  { toDevice, fromDevice }: Partial<Record<'toDevice' | 'fromDevice', (bytes: Buffer) => void>>,
): Promise<Relay> {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (cell) => {
    const device = connect({ host: '127.0.0.1', port, noDelay: true })
    const pass = (from: Socket, to: Socket, watch?: (bytes: Buffer) => void) => {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.on('data', (bytes) => {
        watch?.(bytes)
        to.write(bytes)
      })
    }
    pass(cell, device, toDevice)
    pass(device, cell, fromDevice)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
