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
const keeping = 'ours, sets may be kept, in a Node-RED'
const inFlow = 'image-receive in a flow'
const clients = ['ours', 'ours, sets may be kept', keeping, inFlow, `${grpc} in a Node-RED`, grpc]
/** One round. Close comparisons are measured one after the other, twice, in both orders: machine speed fluctuates. */
const turns = [...clients, inFlow, keeping]

/**
 * Receiving sets of one size by several clients in turn, each in a process. Keeping sets needs new memory for each; unless
 * found young, a garbage collection searches the whole process, which is large for Node-RED.
 */
export async function receivingRows(bytes: number): Promise<BenchRow[]> {
  const sender = spawn(process.execPath, [join(__dirname, 'image-sender.js'), String(bytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(createInterface(sender.stdout), 'line')) as [string]
  const readings = new Map<string, ImageReading[]>(clients.map((client) => [client, []]))
  for (let round = 0; round < rounds; round++)
    for (const client of turns) readings.get(client)?.push(await read(client, port))
  sender.kill()
  await once(sender, 'exit')

  const of = (client: string, value: (reading: ImageReading) => number) =>
    median((readings.get(client) ?? []).map(value))
  /** Of adjacent measurements. */
  const rateOfClient = median(
    (readings.get(inFlow) ?? []).map(({ rate }, pair) => rate / (readings.get(keeping)?.[pair]?.rate ?? NaN)),
  )
  const size = `${Number((bytes / 1e6).toPrecision(3))} MB`
  const rate = (reading: ImageReading) => reading.rate
  const perCpu = (reading: ImageReading) => 1 / reading.cpu
  return clients.flatMap((client): BenchRow[] => {
    const what = `${client}, sets of ${size}`
    const setsPerSecond = { what, value: of(client, rate), unit: 'sets/s' }
    const perSecondOfCpu = { what: `${what}, CPU`, value: of(client, ({ cpu }) => cpu), unit: 'ms/set' }
    return [
      client === inFlow ? { ...setsPerSecond, against: keeping, ratio: rateOfClient } : setsPerSecond,
      { what, value: (of(client, rate) * bytes) / 1e6, unit: 'MB/s' },
      client === grpc
        ? perSecondOfCpu
        : {
            ...perSecondOfCpu,
            ...{ against: `${grpc} in sets per CPU second`, ratio: of(client, perCpu) / of(grpc, perCpu) },
          },
      { what: `${what}, pixels in memory`, value: of(client, ({ pixels }) => pixels) / bytes, unit: 'sets' },
      { what: `${what}, pixels in use`, value: of(client, ({ used }) => used) / bytes, unit: 'sets' },
      { what: `${what}, memory`, value: of(client, ({ memory }) => memory) / 2 ** 20, unit: 'MiB' },
      {
        what: `${what}, searches of all memory`,
        value: 100 * of(client, ({ searches }) => searches),
        unit: 'per 100 sets',
      },
      {
        what: `${what}, longest garbage collection`,
        value: of(client, ({ collected }) => collected),
        unit: 'ms',
      },
      { what: `${what}, event loop stands still`, value: of(client, ({ blocked }) => blocked), unit: 'ms' },
      {
        what: `${what}, event loop held by the work itself`,
        value: of(client, ({ held }) => held),
        unit: 'ms',
      },
    ]
  })
}

async function read(client: string, port: string): Promise<ImageReading> {
  const program = join(__dirname, 'image-reader.js')
  const { stdout } = await run(process.execPath, ['--expose-gc', program, client, port, String(seconds)])
  return JSON.parse(stdout) as ImageReading
}
