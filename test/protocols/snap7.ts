import should from 'should'
import { type PlcClient, startPlcClient } from '../../lib/plc/client'
import { identityOf, s7Protocol, type S7Request, type S7Server, startS7Server } from '../../lib/plc/s7'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { type Done, snap7 } from './peers/snap7-peer'

describe('Snap7 1.4.2, the reference of S7 communication', () => {
  describe('as the CPU of our client', () => {
    const [block, flags] = [Buffer.alloc(60), Buffer.alloc(300)]
    const server = new snap7.S7Server()
    let client: PlcClient<S7Request>
    before(async () => {
      const [port = 0] = await freePorts(1)
      server.SetResourceless(false)
      server.SetParam(server.LocalPort, port)
      server.RegisterArea(server.srvAreaDB, 1, block)
      server.RegisterArea(server.srvAreaMK, flags)
      await new Promise<void>((resolve, reject) =>
        server.StartTo('127.0.0.1', (error) => (error ? reject(new Error(String(error))) : resolve())),
      )
      client = startPlcClient({ protocol: s7Protocol(), host: '127.0.0.1', port })
      await eventually(() => client.isOpen.should.be.true())
    })
    after(async () => {
      await client.close()
      server.Stop()
    })

    it('has what was written, and shows it in one telegram of several areas', async () => {
      await client.request({ kind: 'write', area: 'registers', address: 2, values: [1, 65_528, 3] })
      await client.request({ kind: 'write', area: 'words M', address: 5, values: [0x1234] })
      const reads = [
        { kind: 'read', area: 'registers', address: 2, count: 3 },
        { kind: 'read', area: 'words M', address: 4, count: 2 },
        { kind: 'read', area: 'registers', address: 0, count: 30 },
      ] as const
      const words = await client.request({ kind: 'reads', reads })
      words.slice(0, 5).should.eql([1, 65_528, 3, 0, 0x1234])
      words.slice(5, 12).should.eql([0, 0, 1, 65_528, 3, 0, 0])
      words.should.have.length(35)
    })

    it('refuses what it does not have, by the return codes that we name', async () => {
      await client
        .request({ kind: 'read', area: 'registers', address: 0, count: 31 })
        .should.be.rejectedWith({ code: 'REFUSED', key: 's7-short-block' })
      await client
        .request({ kind: 'write', area: 'registers', address: 29, values: [1, 2] })
        .should.be.rejectedWith({ code: 'REFUSED', key: 's7-short-block' })
      for (const request of [
        { kind: 'read', area: 'words DB2', address: 0, count: 1 },
        { kind: 'write', area: 'words DB2', address: 0, values: [1] },
      ] as const)
        await client.request(request).should.be.rejectedWith({ code: 'REFUSED', key: 's7-no-block' })
    })

    it('says what it is', async () => {
      const identity = await identityOf((asked) => client.request(asked))
      identity.should.match({ orderNumber: '6ES7 315-2EH14-0AB0', type: 'CPU 315-2 PN/DP' })
    })

    it('answers ten thousand requests of random places and lengths, each with what stands there', async function () {
      this.timeout(60_000)
      let seed = 7
      const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
      const model = Array.from({ length: 30 }, (_, word) => block.readUInt16BE(2 * word))
      ;(await client.request({ kind: 'read', area: 'registers', address: 0, count: 30 })).forEach(
        (value, word) => (model[word] = value),
      )
      for (let turn = 0; turn < 10_000; turn++) {
        const address = random(30)
        const count = 1 + random(30 - address)
        if (random(3) === 0) {
          const values = Array.from({ length: count }, () => random(65_536))
          await client.request({ kind: 'write', area: 'registers', address, values })
          model.splice(address, count, ...values)
        } else {
          const words = await client.request({ kind: 'read', area: 'registers', address, count })
          should(words).eql(model.slice(address, address + count))
        }
      }
      client.counts.should.containEql({ timeouts: 0, strays: 0, connections: 1 })
    })
  })

  describe('as a client of the virtual PLC', () => {
    let server: S7Server
    const client = new snap7.S7Client()
    /** What a function brings. @throws what Snap7 says of its error */
    const asked = <Value>(ask: (done: Done<Value>) => void): Promise<Value> =>
      new Promise((resolve, reject) =>
        ask((error, value) => (error ? reject(new Error(client.ErrorText(error))) : resolve(value))),
      )
    before(async () => {
      server = await startS7Server({ port: 0, blocks: { 1: 29 } })
      client.SetParam(client.RemotePort, server.port)
      await asked((done) => client.ConnectTo('127.0.0.1', 0, 1, done))
    })
    after(async () => {
      client.Disconnect()
      await server.close()
    })

    it('reads and writes bytes and bits of data block and flags', async () => {
      server.set([{ area: 'registers', address: 3, value: 0x1234 }])
      should(await asked((done) => client.DBRead(1, 6, 3, done))).eql(Buffer.from([0x12, 0x34, 0]))
      await asked((done) => client.DBWrite(1, 0, 4, Buffer.from([1, 2, 3, 4]), done))
      should([server.read('registers', 0), server.read('registers', 1)]).eql([0x0102, 0x0304])
      const bit = [client.S7AreaMK, 0, 8 * 11 + 2, 1, client.S7WLBit] as const
      await asked((done) => client.WriteArea(...bit, Buffer.of(1), done))
      should(server.read('words M', 5)).equal(4)
      should(await asked((done) => client.ReadArea(...bit, done))).eql(Buffer.of(1))
    })

    it('reads several items at once, odd lengths among them', async () => {
      const items = [0, 6].map((Start) => ({
        ...{ Area: client.S7AreaDB, WordLen: client.S7WLByte, DBNumber: 1, Start, Amount: 3 },
      }))
      const read = await asked<{ Result: number; Data: Buffer }[]>((done) =>
        client.ReadMultiVars(items, done),
      )
      should(read.map(({ Result, Data }) => [Result, Data])).eql([
        [0, Buffer.from([1, 2, 3])],
        [0, Buffer.from([0x12, 0x34, 0])],
      ])
    })

    it('is told what is missing, and what answers', async () => {
      await asked((done) => client.DBRead(2, 0, 2, done)).should.be.rejectedWith(/not available/i)
      await asked((done) => client.DBRead(1, 57, 2, done)).should.be.rejectedWith(/out of range/i)
      should(await asked((done) => client.GetOrderCode(done))).match({ Code: /6ES7 000-0AA00-0AA0/ })
      should(await asked((done) => client.GetProtection(done))).match({ sch_schal: 1 })
    })
  })
})
