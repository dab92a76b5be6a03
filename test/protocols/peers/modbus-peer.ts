import { ServerTCP } from 'modbus-serial'
import { wordMemory, type PlcPeer } from './peer'

/** A PLC with a Modbus server, by a library that is not ours. */
export function modbusPeer(port: number): PlcPeer {
  const { bytes, ...memory } = wordMemory()
  let server: ServerTCP | undefined
  return {
    ...memory,
    start: async () => {
      const opened = (server = new ServerTCP(
        {
          getHoldingRegister: (address: number) => bytes.readUInt16BE(address * 2),
          setRegister: (address: number, value: number) => void bytes.writeUInt16BE(value, address * 2),
        },
        { host: '127.0.0.1', port, unitID: 255 },
      ))
      await new Promise((resolve) => opened.once('initialized', resolve))
    },
    stop: () =>
      new Promise((resolve) => {
        if (server) server.close(() => resolve())
        else resolve()
      }),
  }
}
