import { useExample } from '../support/example'
import { asksForAPose, bitOfState, stoodIn, type PlcOfMessages } from '../support/stood-in'

const addresses: Readonly<Record<string, number>> = { sequence: 0, code: 8, counter: 9, state: 27, echo: 28 }

describe('the example plc-modbus-nodes', function () {
  this.timeout(60_000)
  const types = ['modbus-read', 'modbus-flex-write', 'modbus-client']
  const example = useExample(
    'plc-modbus-nodes',
    [8144],
    stoodIn({ reader: 'modbus-read', writer: 'modbus-flex-write', types }),
  )

  it('gives the PLC a pose, with the messages of node-red-contrib-modbus', () => {
    const registers = Array.from({ length: 29 }, () => 0)
    const at = (name: string) => registers[addresses[name] ?? 0]
    const real = (address: number) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt16BE(registers[address] ?? 0, 0)
      bytes.writeUInt16BE(registers[address + 1] ?? 0, 2)
      return bytes.readFloatBE(0)
    }
    const plc: PlcOfMessages = {
      take: ({ payload }) => {
        const { fc, address, value } = payload as { fc: number; address: number; value: number[] }
        if (fc === 16) registers.splice(address, value.length, ...value)
      },
      messages: () => [
        {
          topic: 'polling',
          payload: registers,
          modbusRequest: { unitid: 1, fc: 3, address: 0, quantity: 29 },
        },
      ],
      set: (name, value) => void (registers[addresses[name] ?? 0] = value),
      get: (name) =>
        name === 'ready' || name === 'done'
          ? bitOfState(at('state'), name)
          : name === 'pose1_3'
            ? real(18)
            : at(name),
    }
    return asksForAPose(example(), plc)
  })
})
