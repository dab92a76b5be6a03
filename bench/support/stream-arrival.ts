import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { StreamMessageType } from '../../lib/codec/streams'
import { receiveStream, type Receiver } from '../../lib/streams'
import { startInWorker } from '../../virtual-device'
import type { BenchRow } from '../row'
import { addDestination, deviceProgram, startDynamics } from './device-program'

const run = promisify(execFile)

/** At 200 messages a second. */
export const fourStreams = {
  pose_rt: 'Frame',
  pose_rt_ins: 'Frame',
  dynamics: 'Dynamics',
  imu: 'Imu',
} as const

const receive = (message: StreamMessageType, options: { recvBufferSize?: number } = {}): Promise<Receiver> =>
  receiveStream(
    { device: '127.0.0.1', message, ...options },
    {
      onMessage: () => undefined,
      onError: (error) => {
        throw error
      },
    },
  )

interface Load {
  /** Datagrams per second. */
  rate: number
  seconds: number
  /** Covariance values per datagram. @default 0 */
  doubles?: number
  /** Bytes. @default the receiver's */
  buffer?: number
}

/** Datagrams from another process that did not arrive. */
export async function lossRow({ rate, seconds, doubles = 0, buffer }: Load): Promise<BenchRow> {
  const receiver = await receive('Dynamics', buffer === undefined ? {} : { recvBufferSize: buffer })
  const program = join(__dirname, 'datagram-sender.js')
  const { stdout } = await run(process.execPath, [
    program,
    ...[receiver.port, rate, seconds, doubles].map(String),
  ])
  await sleep(500)
  const sent = Number(stdout)
  const { messages } = receiver.statistics()
  await receiver.close()
  const size = doubles ? '2.1 kB' : '307 B'
  const room = buffer === 0 ? "the system's" : buffer ? `${buffer / 1024 / 1024} MiB` : 'default'
  return {
    what: `${rate} datagrams/s of ${size} for ${seconds} s, ${room} buffer: lost`,
    value: sent - messages,
    unit: `of ${sent}`,
  }
}

/** Receiving and decoding four streams, without a flow. */
export async function cpuRow(seconds: number): Promise<BenchRow> {
  const device = await deviceProgram()
  await startDynamics(device.url)
  const receivers = await Promise.all(Object.values(fourStreams).map((type) => receive(type)))
  for (const [index, name] of Object.keys(fourStreams).entries())
    await addDestination(device.url, name, receivers[index]?.destination ?? '')
  await sleep(3000)
  const before = process.cpuUsage()
  await sleep(seconds * 1000)
  const { user, system } = process.cpuUsage(before)
  const rates = receivers.map((each) => each.statistics().rate)
  await device.stop()
  await Promise.all(receivers.map((each) => each.close()))
  if (rates.some((rate) => rate < 190)) throw new Error(`the streams came at ${rates.join(', ')} Hz only`)
  return {
    what: `receiving four streams at 200 Hz for ${seconds} s, without a flow`,
    value: (user + system) / seconds / 1e4,
    unit: '% of a core',
  }
}

/** Messages per second of each stream. */
export async function streamRates(url: string, seconds: number): Promise<number[]> {
  await startDynamics(url)
  const receivers = await Promise.all(Object.values(fourStreams).map((type) => receive(type)))
  for (const [index, name] of Object.keys(fourStreams).entries())
    await addDestination(url, name, receivers[index]?.destination ?? '')
  await sleep(2000)
  const before = receivers.map((each) => each.statistics().messages)
  const began = performance.now()
  await sleep(seconds * 1000)
  const elapsed = (performance.now() - began) / 1000
  const rates = receivers.map((each, index) => (each.statistics().messages - (before[index] ?? 0)) / elapsed)
  await Promise.all(receivers.map((each) => each.close()))
  return rates
}

/** A device in a thread, as in the flow node, beside a thread that is busy 20 of 25 ms. */
export async function rateRow(seconds: number): Promise<BenchRow> {
  const device = await startInWorker({ port: 0 })
  const receiver = await receive('Imu')
  await addDestination(device.url, 'imu', receiver.destination)
  const busy = setInterval(() => {
    const end = performance.now() + 20
    while (performance.now() < end);
  }, 25)
  await sleep(1000)
  const before = receiver.statistics()
  const started = performance.now()
  await sleep(seconds * 1000)
  const { messages } = receiver.statistics()
  const rate = ((messages - before.messages) * 1000) / (performance.now() - started)
  clearInterval(busy)
  await device.stop()
  await receiver.close()
  return {
    what: `imu from a device in a thread beside a busy one, ${seconds} s`,
    value: rate,
    unit: 'Hz',
    against: '200 Hz',
    ratio: rate / 200,
  }
}
