import ModbusRTU from 'modbus-serial'
import { eventually } from './eventually'

/** As in the comment on the tab "Cell". */
interface CellState {
  ready: boolean
  busy: boolean
  done: boolean
  error: boolean
  /** Signed. */
  code: number
  counter: number
  /** Milliseconds. */
  duration: number
  life: number
}

/** PLC side of the handshake, Modbus TCP. */
export interface Plc {
  state: () => Promise<CellState>
  /** @throws after a minute, with the last state */
  until: (condition: (state: CellState) => boolean) => Promise<CellState>
  trigger: (up: boolean) => Promise<void>
  /** Trigger, wait for done or error, reset. @returns the state before the reset */
  acquire: () => Promise<CellState>
  /** Up to this one. */
  registers: (count: number) => Promise<number[]>
  /** Stops the simulated program, and releases its trigger. @returns the state then */
  takeOver: () => Promise<CellState>
  /** Stops or starts the simulated program's triggers. */
  byHand: (on: boolean) => Promise<void>
  close: () => Promise<void>
}

const register = { command: 0, state: 1, byHand: 8 }

/** As soon as 127.0.0.1:`port` listens. */
export async function connectPlc(port: number): Promise<Plc> {
  const client = await eventually(() => connected(port))

  const state = async () => {
    const { data } = await client.readHoldingRegisters(register.state, 5)
    const [word = 0, code = 0, counter = 0, duration = 0, life = 0] = data
    const bit = (index: number) => (word & (1 << index)) !== 0
    return {
      ready: bit(0),
      busy: bit(1),
      done: bit(2),
      error: bit(3),
      code: code > 32767 ? code - 65536 : code,
      counter,
      duration,
      life,
    }
  }
  const until: Plc['until'] = (condition) =>
    eventually(async () => {
      const now = await state()
      if (condition(now)) return now
      throw new Error(`the cell says ${JSON.stringify(now)}`)
    })
  const write = async (address: number, value: number) => {
    await client.writeRegister(address, value)
  }
  const trigger = (up: boolean) => write(register.command, up ? 1 : 0)
  const byHand = (on: boolean) => write(register.byHand, on ? 1 : 0)

  return {
    state,
    until,
    trigger,
    acquire: async () => {
      const before = await state()
      await trigger(true)
      // After a pulse, the answer stays until the cell has seen the new edge.
      if (isAnswered(before)) await until((now) => !isAnswered(now))
      const answer = await until(isAnswered)
      await trigger(false)
      await until((now) => !isAnswered(now))
      return answer
    },
    registers: async (count) => (await client.readHoldingRegisters(0, count)).data,
    takeOver: async () => {
      await byHand(true)
      await trigger(false)
      return until(({ ready, busy }) => ready && !busy)
    },
    byHand,
    close: async () => {
      // A connection closed by the cell would not call back.
      if (client.isOpen) await new Promise((resolve) => client.close(resolve))
    },
  }
}

const isAnswered = ({ busy, done, error }: CellState) => !busy && (done || error)

async function connected(port: number): Promise<ModbusRTU> {
  const client = new ModbusRTU()
  client.setID(1)
  client.setTimeout(1000)
  await client.connectTCP('127.0.0.1', { port })
  return client
}
