import ModbusRTU from 'modbus-serial'
import { eventually } from '../../support/eventually'

/** Words of the handshake `sequence`. */
const words = { sequence: 0, control: 3, answer: 8, count: 21, echo: 28 }

/** A PLC's view of the registers of a cell. */
export interface CellRegisters {
  /** Sets the bit by which the PLC allows triggers by hand. */
  allowManual: (isAllowed: boolean) => Promise<void>
  /** Everything that the PLC reads of an answer: code, counter, duration, count, pose, state, echo; not the life counter. */
  answer: () => Promise<number[]>
  /** One cycle: another number, until it is answered. @returns its code */
  cycle: () => Promise<number>
  close: () => Promise<void>
}

/** Connects to the cell's server at 127.0.0.1. */
export async function cellOf(port: number): Promise<CellRegisters> {
  const client = new ModbusRTU()
  client.setID(1)
  client.setTimeout(2000)
  await client.connectTCP('127.0.0.1', { port })
  // A cell that has started waits until the PLC has written its number, and takes that one as no trigger.
  const { data: answered } = await client.readHoldingRegisters(words.echo, 1)
  await client.writeRegister(words.sequence, answered[0] ?? 0)
  return {
    allowManual: async (isAllowed) => {
      await client.writeRegister(words.control, isAllowed ? manualBit : 0)
    },
    answer: async () => {
      const { data } = await client.readHoldingRegisters(words.answer, words.count)
      // The life counter goes on, and the state word shows busy while anything is under way.
      return data.filter((_, index) => index !== lifeWord - words.answer)
    },
    cycle: async () => {
      const { data: before } = await client.readHoldingRegisters(words.echo, 1)
      const number = ((before[0] ?? 0) % 65_535) + 1
      await client.writeRegister(words.sequence, number)
      return eventually(async () => {
        const { data } = await client.readHoldingRegisters(words.answer, words.count)
        if (data[words.echo - words.answer] !== number) throw new Error(`no answer to ${number}`)
        return data[0] ?? 0
      })
    },
    // A connection that the cell has ended calls back no more.
    close: () => new Promise((resolve) => (client.isOpen ? client.close(() => resolve()) : resolve())),
  }
}

/** Bit 1. */
const manualBit = 2
const lifeWord = 26
