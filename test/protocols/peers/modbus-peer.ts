import { modbusServer, type RegisterServer } from '../../support/modbus-server'
import { wordMemory, type PlcPeer } from './peer'

/** A PLC with a Modbus server, by a library that is not ours. */
export function modbusPeer(port: number): PlcPeer {
  const { bytes, ...memory } = wordMemory()
  let server: RegisterServer | undefined
  return {
    ...memory,
    start: async () => {
      server = await modbusServer(
        {
          get: (address) => bytes.readUInt16BE(address * 2),
          set: (address, value) => void bytes.writeUInt16BE(value, address * 2),
        },
        { port, unitID: 255 },
      )
    },
    stop: async () => server?.stop(),
  }
}
