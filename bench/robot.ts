import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerBytes, readAnswer, writeRequest } from '../lib/robot-interface'
import { freePorts } from '../test/support/free-ports'
import { seededRandom } from '../virtual-device/values'
import { quantile, type BenchRow } from './row'
import { cellProcess } from './support/cell-process'
import { robotCells, type RobotCell } from './support/robot-cells'
import { watchedDevice, type WatchedDevice } from './support/watched-device'

/** Per dialect. */
const requests = Number(process.env.ROBOT_REQUESTS ?? 1000)
/** Uncounted requests per dialect: V8 still compiles. */
const warmUp = Number(process.env.ROBOT_WARM_UP ?? 1500)
/** Longest pause between requests, ms. */
const spread = 20

const binary = writeRequest({ action: 'TRIGGER_JOB_SYNC', poseFormat: 24 })
/** One pose with code 0. */
const isBinaryPose = (bytes: Buffer) => {
  if (bytes.length < answerBytes) return false
  const answer = readAnswer(bytes)
  return typeof answer === 'object' && answer.code === 0 && answer.pose !== undefined
}
const ends = (text: string) => (bytes: Buffer) => bytes.subarray(-text.length).toString('latin1') === text

/** Request, and end of the answer, of each dialect. */
const dialects = {
  'universal-robots': { request: Buffer.from('PICK\n'), isWhole: ends('\n') },
  abb: { request: Buffer.from('PICK\n'), isWhole: ends('\n') },
  kuka: { request: Buffer.from('<Robot><Command>PICK</Command></Robot>'), isWhole: ends('</Vision>') },
  'robot-interface': { request: binary, isWhole: isBinaryPose },
} as const
/** Lower bound of the machine: Node-RED's own nodes echo. */
const echo = { request: Buffer.from('PICK\n'), isWhole: ends('\n') }

/**
 * From a robot's request to its answer without the device: text and binary, one call of the device or an empty flow; beside
 * Node-RED's own TCP nodes as echo, and a program without Node-RED. Robot, cell and device share two cores: the last hundredth
 * shows how long a thread waits for one.
 */
export async function run(): Promise<BenchRow[]> {
  const device = await watchedDevice()
  const names = Object.keys(dialects) as (keyof typeof dialects)[]
  const [echoPort = 0, barePort = 0, ...others] = await freePorts(2 + 2 * names.length)
  const cells = names.flatMap((dialect, index): RobotCell<keyof typeof dialects>[] => [
    { dialect, port: others[2 * index] ?? 0, isCalling: true },
    { dialect, port: others[2 * index + 1] ?? 0, isCalling: false },
  ])
  const cell = await cellProcess(robotCells(cells, echoPort, device.url))
  const program = fork(join(__dirname, 'support', 'bare-answers.js'), [String(barePort), device.url])
  await once(program, 'message')
  try {
    const floor = await opened({ ...echo, port: echoPort })
    const sides = await Promise.all(
      cells.map((each) => opened({ ...dialects[each.dialect], port: each.port })),
    )
    const bare = await opened({ ...echo, port: barePort })
    const all = [floor, bare, ...sides]
    await inTurn(all, device, { rounds: warmUp, pause: 0 })
    await inTurn(all, device, { rounds: requests, pause: spread })
    const ofCalls = { name: 'the bare program', times: bare.times }
    const ofEmpty = { name: 'the echo', times: floor.times }
    return [
      ...rows("Node-RED's own TCP nodes, echo", floor.times),
      ...rows('a bare program with net and undici: request to answer without the device', bare.times),
      ...cells.flatMap(({ dialect, isCalling }, index) =>
        rows(
          `${dialect}: request to answer ${isCalling ? 'without the device' : 'of an empty flow'}`,
          sides[index]?.times ?? [],
          isCalling ? ofCalls : ofEmpty,
        ),
      ),
    ]
  } finally {
    program.disconnect()
    await cell.stop()
    await device.stop()
  }
}

function rows(
  what: string,
  times: readonly number[],
  against?: { name: string; times: readonly number[] },
): BenchRow[] {
  return [0.5, 0.99].map((share) => {
    const value = quantile(times, share)
    return {
      what: `${what}, p${String(share * 100)}`,
      value,
      unit: 'ms',
      ...(against && { against: against.name, ratio: value / quantile(against.times, share) }),
    }
  })
}

interface Side {
  socket: Socket
  request: Buffer
  isWhole: (bytes: Buffer) => boolean
  /** Milliseconds per request, without the device. */
  times: number[]
}

async function opened({ port, ...side }: Omit<Side, 'socket' | 'times'> & { port: number }): Promise<Side> {
  return { ...side, socket: await connected(port), times: [] }
}

/**
 * One request per side and round, in random order.
 * @param pause longest, milliseconds
 */
async function inTurn(
  sides: readonly Side[],
  device: WatchedDevice,
  { rounds, pause }: { rounds: number; pause: number },
): Promise<void> {
  const random = seededRandom(18)
  for (const side of sides) side.times = []
  for (let round = 0; round < rounds; round++) {
    const order = sides.map((side) => ({ side, at: random() })).sort((one, other) => one.at - other.at)
    for (const { side } of order) {
      if (pause) await sleep(pause * random())
      device.reset()
      const began = performance.now()
      side.socket.write(side.request)
      await answered(side)
      side.times.push(performance.now() - began - device.elapsed)
    }
  }
}

async function answered({ socket, isWhole }: Side): Promise<void> {
  let bytes = Buffer.alloc(0)
  while (!isWhole(bytes)) {
    const [piece] = (await once(socket, 'data')) as [Buffer]
    bytes = Buffer.concat([bytes, piece])
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
