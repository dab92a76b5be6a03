import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openMap } from '../lib/plc/data'
import { families } from '../lib/plc/families'
import { startModbusServer } from '../lib/plc/modbus'
import { startS7Server } from '../lib/plc/s7'
import { startSlmpServer } from '../lib/plc/slmp'
import { VirtualPlc } from '../lib/plc/virtual/virtual-plc'
import { freePorts } from '../test/support/free-ports'
import { root } from '../test/support/root'
import { seededRandom } from '../virtual-device/values'
import { quantile, type BenchRow } from './row'
import { cellProcess } from './support/cell-process'
import { manyHandshakes, oneHandshake } from './support/handshake-flows'
import { watchedDevice, type WatchedDevice } from './support/watched-device'

const triggers = 1000
/** Milliseconds before a trigger: fixed and random part, in whole polling periods. The device accepts one trigger per 40 ms. */
const [pause, spread] = [50, 100]
const handshakes = 100
/** Milliseconds between triggers of a PLC. */
const interval = 100
const seconds = 20

/** From the PLC's edge to the device, and the cycle without the device, beside release 0.1; the cost of 100 handshakes. */
export async function run(): Promise<BenchRow[]> {
  const device = await watchedDevice()
  try {
    const before = await flowOfRelease(device)
    const clients: BenchRow[] = []
    for (const [name, plc] of Object.entries(plcs))
      for (const poll of [50, 10])
        clients.push(...rows(`${name}, ${poll} ms polling`, await polled(device, plc, poll), before))
    const served = await asServer(device)
    return [
      ...rows('flow of 0.1, 50 ms polling', before),
      ...clients,
      ...rows('server', served, before),
      ...(await many()),
      ...(await many(device)),
    ]
  } finally {
    await device.stop()
  }
}

/** Milliseconds. */
interface Times {
  request: number[]
  overhead: number[]
}

function rows(what: string, times: Times, before?: Times): BenchRow[] {
  const parts = [
    ['edge to request', 'request'],
    ['cycle without the device', 'overhead'],
  ] as const
  return parts.flatMap(([part, name]) =>
    [0.5, 0.99].map((share) => {
      const value = quantile(times[name], share)
      return {
        what: `${what}: ${part}, p${share * 100}`,
        value,
        unit: 'ms',
        ...(before && { against: 'the flow of 0.1', ratio: value / quantile(before[name], share) }),
      }
    }),
  )
}

/** One trigger after the other, at random moments of the polling. */
async function measured(device: WatchedDevice, trigger: (mark: () => void) => Promise<void>): Promise<Times> {
  const times: Times = { request: [], overhead: [] }
  const random = seededRandom(15)
  for (let count = -10; count < triggers; count++) {
    await sleep(pause + spread * random())
    device.reset()
    let began = 0
    let ended = 0
    await trigger(() => {
      if (began === 0) began = performance.now()
      else ended = performance.now()
    })
    // Warm-up: nothing is compiled yet.
    if (count < 0 || device.first === undefined) continue
    times.request.push(device.first - began)
    times.overhead.push(ended - began - device.elapsed)
  }
  return times
}

/** A server of ours that stands for a PLC. */
interface PlcServer {
  word: (address: number) => number
  set: (address: number, value: number) => void
  close: () => Promise<void>
}

interface PolledKind {
  start: (port: number, written: () => void) => Promise<PlcServer>
  /** Fields of the handshake. */
  fields: (port: number) => object
}

const modbus: PolledKind = {
  start: async (port, onWrite) => {
    const server = await startModbusServer(
      { port, blocks: { registers: [{ address: 0, count: 40, writable: true }] } },
      { onWrite },
    )
    return {
      word: (address) => server.read('registers', address, 1)[0] ?? 0,
      set: (address, value) => server.set([{ area: 'registers', address, value }]),
      close: () => server.close(),
    }
  },
  fields: (hostPort) => ({ connection: 'client', hostPort }),
}

const slmp = (transport: 'tcp' | 'udp'): PolledKind => ({
  start: async (port, onWrite) => {
    const server = await startSlmpServer({ port, transport }, { onWrite })
    return {
      word: (address) => server.read('registers', address) ?? 0,
      set: (address, value) => server.set([{ area: 'registers', address, value }]),
      close: () => server.close(),
    }
  },
  fields: (slmpPort) => ({ connection: 'slmp', slmpPort, transport, firstDevice: 'D0' }),
})

const s7: PolledKind = {
  start: async (port, onWrite) => {
    const server = await startS7Server({ port, blocks: { 1: 40 } }, { onWrite })
    return {
      word: (address) => server.read('registers', address) ?? 0,
      set: (address, value) => server.set([{ area: 'registers', address, value }]),
      close: () => server.close(),
    }
  },
  fields: (s7Port) => ({ connection: 's7-client', s7Port }),
}

/** PLCs that are polled. */
const plcs: Readonly<Record<string, PolledKind>> = {
  'Modbus client': modbus,
  S7: s7,
  'SLMP over TCP': slmp('tcp'),
  'SLMP over UDP': slmp('udp'),
}

/** A polled PLC, and who waits for its words. */
async function startPlc(port: number, { start }: PolledKind) {
  let written: () => void = () => undefined
  const server = await start(port, () => written())
  return {
    word: server.word,
    set: server.set,
    /** Resolves within the write. */
    until: (isSo: () => boolean) =>
      new Promise<void>((resolve) => {
        written = () => {
          if (isSo()) resolve()
        }
        written()
      }),
    stop: () => server.close(),
  }
}

async function flowOfRelease(device: WatchedDevice): Promise<Times> {
  const [port = 0] = await freePorts(1)
  const plc = await startPlc(port, modbus)
  const file = join(root, 'test', 'fixtures', 'first-acquisition-0.1.json')
  const flow = (JSON.parse(readFileSync(file, 'utf8')) as { id: string; z?: string }[])
    .filter(({ id, z = id }) => z !== 'plc' && z !== 'virtual' && id !== 'modbus-plc-program')
    // The time of a depth image is not overhead.
    .map((node) => (node.id === 'cell-wait' ? { ...node, pauseType: 'delay' } : node))
  const cell = await cellProcess(flow, {
    PLC_PORT: String(port),
    DEVICE_PORT: new URL(device.url).port,
  })
  const [isReady, isDone] = [() => (plc.word(1) & 1) !== 0, () => (plc.word(1) & 12) !== 0]
  const times = await measured(device, async (mark) => {
    await plc.until(isReady)
    mark()
    plc.set(0, 1)
    await plc.until(isDone)
    mark()
    plc.set(0, 0)
    await plc.until(() => isReady() && !isDone())
  })
  await cell.stop()
  await plc.stop()
  return times
}

async function polled(device: WatchedDevice, kind: PolledKind, poll: number): Promise<Times> {
  const [port = 0] = await freePorts(1)
  const plc = await startPlc(port, kind)
  const cell = await cellProcess(oneHandshake({ host: '127.0.0.1', poll, ...kind.fields(port) }, device.url))
  await plc.until(() => (plc.word(27) & 1) !== 0)
  let number = 0
  const times = await measured(device, async (mark) => {
    number++
    mark()
    plc.set(0, number)
    await plc.until(() => plc.word(28) === number)
    mark()
    await plc.until(() => (plc.word(27) & 1) !== 0)
  })
  await cell.stop()
  await plc.stop()
  return times
}

async function asServer(device: WatchedDevice): Promise<Times> {
  const [port = 0] = await freePorts(1)
  const cell = await cellProcess(oneHandshake({ connection: 'server', port }, device.url))
  const family = families.sequence
  const map = openMap({ lines: family.map })
  const plc = new VirtualPlc({ host: '127.0.0.1', port, family, map, order: 'ABCD', cycle: 1 })
  const { signal } = new AbortController()
  const times = await measured(device, async (mark) => {
    await plc.trigger(1, signal, { asking: mark })
    mark()
  })
  await plc.close()
  await cell.stop()
  return times
}

/** 100 PLCs with ten triggers a second each; empty flow, or one call of the device. */
async function many(device?: WatchedDevice): Promise<BenchRow[]> {
  const ports = await freePorts(handshakes)
  const cell = await cellProcess(manyHandshakes(ports, device?.direct))
  const plcs = fork(join(__dirname, 'support', 'many-plcs.js'), [interval, ...ports].map(String))
  const cycles = async () => {
    plcs.send('count')
    const [count] = (await once(plcs, 'message')) as [number]
    return count
  }
  await sleep(5000)
  const [cpu, began] = [await cell.cpu(), performance.now()]
  await cycles()
  await sleep(seconds * 1000)
  const elapsed = (performance.now() - began) / 1000
  const done = await cycles()
  const share = (await cell.cpu()) - cpu
  plcs.disconnect()
  await cell.stop()
  const what = `${handshakes} handshakes${device ? ' with a call of the device' : ''}`
  return [
    { what: `${what}: cycles done`, value: done / elapsed, unit: 'a second' },
    { what: `${what}: CPU of Node-RED`, value: (100 * share) / elapsed, unit: '% of a core' },
  ]
}
