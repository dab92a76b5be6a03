import ModbusRTU from 'modbus-serial'
import { type PlcClient, startPlcClient } from '../lib/plc/client'
import { modbusProtocol, type ModbusRequest, startModbusServer } from '../lib/plc/modbus'
import { median, quantile, type BenchRow } from './row'

const rounds = 15
const callsPerRound = 400
const registers = 10

type Call = () => Promise<unknown>

/** Round trips of a Modbus TCP request over loopback, with our server. */
export async function run(): Promise<BenchRow[]> {
  const server = await startModbusServer(
    { port: 0, blocks: { registers: [{ address: 0, count: 100, writable: true }] } },
    { onWrite: () => {} },
  )
  const theirs = new ModbusRTU()
  await theirs.connectTCP('127.0.0.1', { port: server.port })
  theirs.setID(1)
  theirs.setTimeout(10_000)
  const ours = await connected(server.port)

  const values = Array.from({ length: registers }, (_, index) => index)
  const reading = await compare(
    `read ${registers} registers`,
    () => ours.request({ kind: 'read', area: 'registers', address: 0, count: registers }),
    () => theirs.readHoldingRegisters(0, registers),
  )
  const writing = await compare(
    `write ${registers} registers`,
    () => ours.request({ kind: 'write', area: 'registers', address: 0, values }),
    () => theirs.writeRegisters(0, values),
  )
  await ours.close()
  await new Promise<void>((resolve) => {
    theirs.close(() => resolve())
  })
  await server.close()
  return [...reading, ...writing]
}

const connected = (port: number): Promise<PlcClient<ModbusRequest>> =>
  new Promise((resolve) => {
    const client = startPlcClient(
      { protocol: modbusProtocol(), host: '127.0.0.1', port },
      { onOpen: () => resolve(client) },
    )
  })

async function compare(what: string, ours: Call, theirs: Call): Promise<BenchRow[]> {
  const all: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] }
  const ratios: number[] = []
  for (const warm of [ours, theirs]) await times(warm)
  for (let round = 0; round < rounds; round++) {
    // In turn, so that fluctuations affect both sides alike.
    const [one, other] = [await times(ours), await times(theirs)]
    all.ours.push(...one)
    all.theirs.push(...other)
    ratios.push(median(one) / median(other))
  }
  const against = 'modbus-serial'
  const late = quantile(all.ours, 0.99)
  return [
    { what: `${what}, p50`, value: median(all.ours), unit: 'µs', against, ratio: median(ratios) },
    { what: `${what}, p99`, value: late, unit: 'µs', against, ratio: late / quantile(all.theirs, 0.99) },
  ]
}

/** Microseconds, one call after the other. */
async function times(call: Call): Promise<number[]> {
  const each: number[] = []
  for (let count = 0; count < callsPerRound; count++) {
    const started = performance.now()
    await call()
    each.push((performance.now() - started) * 1000)
  }
  return each
}
