import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { median, type BenchRow } from '../row'
import type { ImageReading } from './image-reader'

const run = promisify(execFile)

const rounds = 7
const seconds = 2
const grpc = '@grpc/grpc-js'
const kept = 'ours, sets may be kept, in a Node-RED'
const inFlow = 'image-receive in a flow'
const ways = ['ours', 'ours, sets may be kept', kept, inFlow, `${grpc} in a Node-RED`, grpc]
/** One round. Close comparisons are measured one after the other, twice, in both orders: machine speed fluctuates. */
const turns = [...ways, inFlow, kept]

/**
 * Receiving sets of one size by several clients in turn, each in a process. Keeping sets needs new memory for each; unless
 * found young, a garbage collection searches the whole process, which is large for Node-RED.
 */
export async function receivingRows(bytes: number): Promise<BenchRow[]> {
  const sender = spawn(process.execPath, [join(__dirname, 'image-sender.js'), String(bytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(createInterface(sender.stdout), 'line')) as [string]
  const readings = new Map<string, ImageReading[]>(ways.map((way) => [way, []]))
  for (let round = 0; round < rounds; round++)
    for (const way of turns) readings.get(way)?.push(await read(way, port))
  sender.kill()
  await once(sender, 'exit')

  const of = (way: string, value: (reading: ImageReading) => number) =>
    median((readings.get(way) ?? []).map(value))
  /** Of adjacent measurements. */
  const rateOfClient = median(
    (readings.get(inFlow) ?? []).map(({ rate }, pair) => rate / (readings.get(kept)?.[pair]?.rate ?? NaN)),
  )
  const size = `${Number((bytes / 1e6).toPrecision(3))} MB`
  const rate = (reading: ImageReading) => reading.rate
  const perCpu = (reading: ImageReading) => 1 / reading.cpu
  return ways.flatMap((way): BenchRow[] => {
    const what = `${way}, sets of ${size}`
    const setsPerSecond = { what, value: of(way, rate), unit: 'sets/s' }
    const perSecondOfCpu = { what: `${what}, CPU`, value: of(way, ({ cpu }) => cpu), unit: 'ms/set' }
    return [
      way === inFlow ? { ...setsPerSecond, against: kept, ratio: rateOfClient } : setsPerSecond,
      { what, value: (of(way, rate) * bytes) / 1e6, unit: 'MB/s' },
      way === grpc
        ? perSecondOfCpu
        : {
            ...perSecondOfCpu,
            ...{ against: `${grpc} in sets per CPU second`, ratio: of(way, perCpu) / of(grpc, perCpu) },
          },
      { what: `${what}, pixels in memory`, value: of(way, ({ pixels }) => pixels) / bytes, unit: 'sets' },
      { what: `${what}, pixels in use`, value: of(way, ({ used }) => used) / bytes, unit: 'sets' },
      { what: `${what}, memory`, value: of(way, ({ memory }) => memory) / 2 ** 20, unit: 'MiB' },
      {
        what: `${what}, searches of all memory`,
        value: 100 * of(way, ({ searches }) => searches),
        unit: 'per 100 sets',
      },
      {
        what: `${what}, longest garbage collection`,
        value: of(way, ({ collected }) => collected),
        unit: 'ms',
      },
      { what: `${what}, event loop stands still`, value: of(way, ({ blocked }) => blocked), unit: 'ms' },
      {
        what: `${what}, event loop held by the work itself`,
        value: of(way, ({ held }) => held),
        unit: 'ms',
      },
    ]
  })
}

async function read(way: string, port: string): Promise<ImageReading> {
  const program = join(__dirname, 'image-reader.js')
  const { stdout } = await run(process.execPath, ['--expose-gc', program, way, port, String(seconds)])
  return JSON.parse(stdout) as ImageReading
}
