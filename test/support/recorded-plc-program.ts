import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ModbusRTU from 'modbus-serial'
import { eventually } from './eventually'
import { root } from './root'

/** Registers by meaning; see the beginning of the file. */
type Step = { do: string } & (
  | { write: [register: number, value: number] }
  | { lives: number }
  | { until: { state?: number; code?: number; counter?: number; duration?: [least: number, most: number] } }
)

/** Milliseconds per step, generous. */
const within = 60_000

/** The PLC program of release 0.1, by a foreign Modbus client. @throws with the failed step */
export async function runRecordedProgram(port: number): Promise<void> {
  const file = join(root, 'test', 'fixtures', 'plc-program-0.1.json')
  const { steps } = JSON.parse(readFileSync(file, 'utf8')) as { steps: Step[] }
  const plc = await eventually(() => connected(port))
  try {
    const first = await registersOf(plc)
    for (const step of steps) await run(plc, step, first.counter)
  } finally {
    plc.close(() => undefined)
  }
}

async function run(plc: ModbusRTU, step: Step, before: number): Promise<void> {
  if ('write' in step) {
    await plc.writeRegister(...step.write)
    return
  }
  if ('lives' in step) {
    const { life } = await registersOf(plc)
    await reads(plc, step.do, (now) => now.life >= life + step.lives)
    return
  }
  const { state, code, counter, duration: [least, most] = [0, 65_535] } = step.until
  await reads(
    plc,
    step.do,
    (now) =>
      now.state === (state ?? now.state) &&
      now.code === (code ?? now.code) &&
      now.counter === before + (counter ?? now.counter - before) &&
      now.duration >= least &&
      now.duration <= most,
  )
}

type Registers = Awaited<ReturnType<typeof registersOf>>

async function registersOf(plc: ModbusRTU) {
  const { data } = await plc.readHoldingRegisters(1, 5)
  const [state = 0, code = 0, counter = 0, duration = 0, life = 0] = data
  return { state, code, counter, duration, life }
}

const reads = (plc: ModbusRTU, what: string, isSo: (now: Registers) => boolean) =>
  eventually(async () => {
    const now = await registersOf(plc)
    if (!isSo(now)) throw new Error(`${what}: the cell says ${JSON.stringify(now)}`)
  }, within)

async function connected(port: number): Promise<ModbusRTU> {
  const plc = new ModbusRTU()
  plc.setID(1)
  plc.setTimeout(5000)
  await plc.connectTCP('127.0.0.1', { port })
  return plc
}
