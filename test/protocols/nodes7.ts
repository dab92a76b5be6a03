import should from 'should'
import { type S7Server, startS7Server } from '../../lib/plc/s7'
import { installed } from './peers/peer'

/** The part of the package that is used here. */
interface Nodes7 {
  initiateConnection: (
    options: { host: string; port: number; rack: number; slot: number },
    connected: (error?: unknown) => void,
  ) => void
  addItems: (items: string[]) => void
  readAllItems: (done: (isBad: boolean, values: Record<string, unknown>) => void) => void
  writeItems: (items: string[], values: unknown[], done: (isBad: boolean) => void) => number
  dropConnection: (done: () => void) => void
}

describe('nodes7 0.3.18, a client that is not ours, with the S7 server of the virtual PLC', () => {
  let server: S7Server
  let client: Nodes7
  before(async () => {
    server = await startS7Server({ port: 0, blocks: { 1: 100 } })
    client = new (installed('nodes7') as new (options: object) => Nodes7)({ silent: true })
    await new Promise<void>((resolve, reject) =>
      client.initiateConnection({ host: '127.0.0.1', port: server.port, rack: 0, slot: 1 }, (error) =>
        error === undefined ? resolve() : reject(new Error('not connected')),
      ),
    )
  })
  after(async () => {
    await new Promise<void>((resolve) => client.dropConnection(resolve))
    await server.close()
  })

  it('reads words, 32-bit values, REALs, bits and flags as they are there', async () => {
    const words = [1234, 0xfffe, 0x3f80, 0x0000, 0x0001, 0xe240, 0x0201]
    server.set(words.map((value, address) => ({ area: 'registers', address, value })))
    server.set([{ area: 'words M', address: 10, value: 77 }])
    const items = ['DB1,WORD0', 'DB1,INT2', 'DB1,REAL4', 'DB1,DINT8', 'DB1,X13.0', 'DB1,X12.1', 'MW20']
    client.addItems(items)
    const values = await new Promise<Record<string, unknown>>((resolve, reject) =>
      client.readAllItems((isBad, found) => (isBad ? reject(new Error('bad values')) : resolve(found))),
    )
    should(items.map((item) => values[item])).eql([1234, -2, 1, 123_456, true, true, 77])
  })

  it('writes words, a REAL and a bit, which are there then', async () => {
    const items = ['DB1,WORD40', 'DB1,REAL44', 'DB1,X49.3']
    const isBad = await new Promise<boolean>((resolve) => client.writeItems(items, [4321, 1, true], resolve))
    should(isBad).be.false()
    should([20, 22, 23, 24].map((address) => server.read('registers', address))).eql([4321, 0x3f80, 0, 8])
  })
})
