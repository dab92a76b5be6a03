import should from 'should'
import { SlmpMemory, type SlmpServer, startSlmpServer } from '../../lib/plc/slmp/server'
import { installed } from './peers/peer'

/** The part of the package that is used here. */
interface McProtocol {
  initiateConnection: (
    options: { host: string; port: number; ascii: boolean; frame: '3E'; octalInputOutput?: boolean },
    connected: (error?: unknown) => void,
  ) => void
  addItems: (items: string[]) => void
  readAllItems: (done: (isBad: boolean, values: Record<string, unknown>) => void) => void
  writeItems: (items: string[], values: unknown[], done: (isBad: boolean) => void) => void
  dropConnection: () => void
}

describe('mcprotocol 0.1.2, a client that is not ours, with the SLMP server of the virtual PLC', () => {
  let server: SlmpServer
  let memory: SlmpMemory
  let client: McProtocol
  before(async () => {
    memory = new SlmpMemory()
    server = await startSlmpServer({ memory, port: 0 })
    client = new (installed('mcprotocol') as new () => McProtocol)()
    const { host, port } = server
    await new Promise<void>((resolve, reject) =>
      client.initiateConnection({ host, port, ascii: false, frame: '3E', octalInputOutput: false }, (error) =>
        error === undefined ? resolve() : reject(new Error('not connected')),
      ),
    )
  })
  after(async () => {
    client.dropConnection()
    await server.close()
  })

  /** The package takes every answer to a write in a 3E frame for a bad one: it compares it with those of 1E frames. */
  const write = (items: string[], values: unknown[]) =>
    new Promise<void>((resolve) => client.writeItems(items, values, () => resolve()))

  it('reads words, 32-bit values, REALs and bits as they are there', async () => {
    memory.write('D', 100, [1234, 0xfffe, 0x0000, 0x3f80, 0xe240, 0x0001])
    memory.write('M', 20, [1, 0, 1])
    client.addItems(['D100', 'D101', 'DFLOAT102', 'DDINT104', 'M20', 'M21', 'M22'])
    const values = await new Promise<Record<string, unknown>>((resolve, reject) =>
      client.readAllItems((isBad, found) => (isBad ? reject(new Error('bad values')) : resolve(found))),
    )
    should(values).match({
      D100: 1234,
      D101: -2,
      DFLOAT102: 1,
      DDINT104: 123_456,
      M20: true,
      M21: false,
      M22: true,
    })
  })

  it('writes words and a REAL, which are there then', async () => {
    await write(['D200', 'DFLOAT202'], [4321, 1])
    memory.read('D', 200, 1).should.deepEqual([4321])
    memory.read('D', 202, 2).should.deepEqual([0x0000, 0x3f80])
    server.counts.writes.should.equal(2)
  })

  it('writes nothing where the PLC does not permit it', async () => {
    server.fail({ writesInRun: false })
    await write(['D200'], [1])
    memory.read('D', 200, 1).should.deepEqual([4321])
    server.counts.refusals.should.be.above(0)
  })
})
