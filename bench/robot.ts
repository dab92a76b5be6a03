import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../test/support/free-ports'
import { seededRandom } from '../virtual-device/random'
import { quantile, type BenchRow } from './row'
import { cellProcess } from './support/cell-process'
import { watchedDevice } from './support/watched-device'

const requests = 1000

/** From a robot's request to its answer, without the time of the device: text with an end, and the XML of KUKA. */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const [way, request, end] of [
    ['universal-robots', 'PICK\n', '\n'],
    ['abb', 'PICK\n', '\n'],
    ['kuka', '<Robot><Command>PICK</Command></Robot>', '</Vision>'],
  ] as const) {
    const times = await measured(way, request, end)
    for (const share of [0.5, 0.99])
      rows.push({
        what: `${way}: request to answer without the device, p${String(share * 100)}`,
        value: quantile(times, share),
        unit: 'ms',
      })
  }
  return rows
}

async function measured(way: string, request: string, end: string): Promise<number[]> {
  const device = await watchedDevice()
  const [port = 0] = await freePorts(1)
  const cell = await cellProcess(flow(way, port, device.url))
  const robot = await connected(port)
  const times: number[] = []
  const random = seededRandom(18)
  try {
    for (let count = -10; count < requests; count++) {
      await sleep(20 * random())
      device.reset()
      const began = performance.now()
      robot.write(request)
      await answer(robot, end)
      // The first ones find nothing compiled yet.
      if (count >= 0) times.push(performance.now() - began - device.taken)
    }
  } finally {
    robot.destroy()
    await cell.stop()
    await device.stop()
  }
  return times
}

async function answer(robot: Socket, end: string): Promise<void> {
  let text = ''
  while (!text.endsWith(end)) {
    const [piece] = (await once(robot, 'data')) as [Buffer]
    text += piece.toString('latin1')
  }
}

/** The flow may still be starting. */
async function connected(port: number): Promise<Socket> {
  for (;;) {
    const socket = createConnection({ host: '127.0.0.1', port, noDelay: true })
    try {
      await once(socket, 'connect')
      return socket
    } catch {
      await sleep(50)
    }
  }
}

const pose = { position: { x: 0.4, y: 0, z: 0.3 }, orientation: { x: 1, y: 0, z: 0, w: 0 } }

const flow = (way: string, port: number, address: string): object[] => [
  { id: 'tab', type: 'tab', label: 'bench' },
  { id: 'device', type: 'vision-device-config', name: '', address, concurrency: 8 },
  { id: 'robots', type: 'vision-robot-connection', name: '', way, port },
  { id: 'request', z: 'tab', type: 'vision-robot-request', robots: 'robots', wires: [['call'], []] },
  {
    ...{ id: 'call', z: 'tab', type: 'vision-call-service', device: 'device' },
    ...{ node: 'dev_stereomatching', service: 'acquisition_trigger', onRefusal: 'output' },
    ...{ outputs: 2, wires: [['answer'], ['answer']] },
  },
  {
    ...{ id: 'answer', z: 'tab', type: 'vision-robot-answer', wires: [[], []] },
    // Whatever the device says: a pose goes out.
    ...{ poses: JSON.stringify([{ pose }]), posesType: 'json', code: '0', codeType: 'jsonata' },
  },
]
