import ModbusRTU from 'modbus-serial'
import { eventually } from '../../support/eventually'

/** Words of the handshake `sequence`: number and job, and the answer. */
const words = { request: 0, answer: 8, count: 21, state: 27, echo: 28 }

const readyBit = 1

/** What a PLC reads of a cycle. */
export interface PlcAnswer {
  code: number
  jobEcho: number
  /** Poses. */
  count: number
}

/** A PLC that speaks Modbus TCP with a cell. */
export interface PlcPeer {
  /** Resolves when the cell takes triggers: a trigger before would get the code for that. */
  ready: () => Promise<void>
  /**
   * Sets job and number in one request, changes the job at once, as a PLC may from then on, and waits for the answer.
   * @param afterwards job that stands in the register while the cycle is under way
   */
  trigger: (job: number, afterwards?: number) => Promise<PlcAnswer>
  close: () => Promise<void>
}

/** Connects to the cell's server at 127.0.0.1. */
export async function plcPeer(port: number): Promise<PlcPeer> {
  // Its server begins to listen after the deploy.
  const client = await eventually(() => connected(port))
  let {
    data: [number = 0],
  } = await client.readHoldingRegisters(words.echo, 1)
  // A cell that has started waits until the PLC has written its number, and takes that one as no trigger.
  await client.writeRegisters(words.request, [number, 0])
  const ready = () =>
    eventually(async () => {
      const {
        data: [state = 0],
      } = await client.readHoldingRegisters(words.state, 1)
      if ((state & readyBit) === 0) throw new Error('not ready yet')
    })
  return {
    ready,
    trigger: async (job, afterwards = job) => {
      await ready()
      number = (number % 65_535) + 1
      await client.writeRegisters(words.request, [number, job])
      await client.writeRegister(words.request + 1, afterwards)
      await eventually(async () => {
        const { data } = await client.readHoldingRegisters(words.echo, 1)
        if (data[0] !== number) throw new Error('not answered yet')
      })
      const { data } = await client.readHoldingRegisters(words.answer, words.count)
      const [code = 0, , , jobEcho = 0, count = 0] = data
      return { code: code > 32_767 ? code - 65_536 : code, jobEcho, count }
    },
    // A connection that the cell has ended, such as by a deploy, calls back no more.
    close: () => new Promise((resolve) => (client.isOpen ? client.close(() => resolve()) : resolve())),
  }
}

async function connected(port: number): Promise<ModbusRTU> {
  const client = new ModbusRTU()
  client.setID(1)
  client.setTimeout(2000)
  await client.connectTCP('127.0.0.1', { port })
  return client
}
