import type { BenchRow } from './row'
import { cpuRow, lossRow, rateRow } from './support/stream-arrival'
import { codecRows } from './support/stream-codec'
import { flowRow } from './support/stream-flow'

/** Bytes; 0: the system's default. */
const systemDefault = 0
const large = 4 * 1024 * 1024

/**
 * Goals: decoding at 0.95 and encoding at 1.0 of protobufjs' reflection; no loss at 10 000 datagrams a second for a minute; a
 * Node-RED with four streams at 200 Hz below 15 % of a core; the device's rate within 1 % beside a busy thread. Takes five
 * minutes.
 */
export async function run(): Promise<BenchRow[]> {
  return [
    ...codecRows(),
    await lossRow({ rate: 10_000, seconds: 60 }),
    await lossRow({ rate: 10_000, seconds: 60, buffer: systemDefault }),
    await lossRow({ rate: 10_000, seconds: 10, doubles: 225 }),
    await lossRow({ rate: 30_000, seconds: 5 }),
    await lossRow({ rate: 30_000, seconds: 5, buffer: large }),
    await lossRow({ rate: 60_000, seconds: 5 }),
    await lossRow({ rate: 60_000, seconds: 5, buffer: large }),
    ...(await cpuRows(20)),
    await rateRow(60),
  ]
}

async function cpuRows(seconds: number): Promise<BenchRow[]> {
  const bare = await cpuRow(seconds)
  const inFlow = await flowRow(seconds)
  return [bare, { ...inFlow, against: 'the same without a flow', ratio: inFlow.value / bare.value }]
}
