import { type S7Server, startS7Server } from '../../../lib/plc/s7'
import { type PlcPeer, wordMemory } from './peer'

/** The CPU of the virtual PLC with DB1: its client is the implementation that `node-red-contrib-s7` brings. */
export function s7Peer(port: number): PlcPeer {
  const words = wordMemory()
  const count = words.bytes.length / 2
  let server: S7Server | undefined
  /** From the memory of the program to that of the CPU, and back. */
  const put = () =>
    server?.set(
      Array.from({ length: count }, (_, address) => ({
        ...{ area: 'registers' as const, address, value: words.bytes.readUInt16BE(2 * address) },
      })),
    )
  const take = () => {
    for (let address = 0; address < count; address++)
      words.bytes.writeUInt16BE(server?.read('registers', address) ?? 0, 2 * address)
  }
  return {
    start: async () => {
      server = await startS7Server({ port, blocks: { 1: count }, pdu: 240 })
      put()
    },
    stop: async () => {
      take()
      await server?.close()
      server = undefined
    },
    forget: () => {
      words.forget()
      put()
    },
    set: (name, value) => {
      if (server) take()
      words.set(name, value)
      put()
    },
    get: (name) => {
      if (server) take()
      return words.get(name)
    },
  }
}
