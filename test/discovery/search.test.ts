import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import fc from 'fast-check'
import should from 'should'
import {
  type DeviceIdentity,
  discoveryReply,
  discoveryRequest,
  discoveryRequestIn,
  identityIn,
} from '../../lib/codec/discovery'
import { searchDevices } from '../../lib/discovery/search'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'

const identity: DeviceIdentity = {
  mac: '02:14:2d:01:02:ff',
  address: '192.168.0.10',
  mask: '255.255.255.0',
  gateway: '192.168.0.1',
  manufacturer: 'Maker',
  model: 'vision-single',
  version: '1.2.3',
  details: 'http=8080',
  serial: '0123456789',
  name: 'Zelle Süd',
}

describe('a discovery reply', () => {
  it('contains the identity that was put in', () => {
    const reply = discoveryReply(identity, 7)
    reply.length.should.equal(256)
    should(identityIn(reply, 7)).deepEqual(identity)
    should(identityIn(reply, 8)).be.undefined()
    should(discoveryRequestIn(discoveryRequest(7))).deepEqual({ id: 7, mayBroadcast: true })
  })

  it('has the bytes of the standard', () => {
    discoveryRequest(0x1234).toString('hex').should.equal('4211000200001234')
    discoveryReply(identity, 0x1234).subarray(0, 8).toString('hex').should.equal('0000000300f81234')
  })

  it('may end early; missing texts are empty', () => {
    const short = identityIn(discoveryReply(identity, 7).subarray(0, 8 + 72), 7)
    should(short?.address).equal('192.168.0.10')
    should(short?.model).equal('')
    should(identityIn(discoveryReply(identity, 7).subarray(0, 8 + 39), 7)).be.undefined()
  })

  it('shows no control characters, no marks of direction and no more than a field', () => {
    const odd = { ...identity, model: 'a\u001b[31m\u202eb\nc', name: 'x'.repeat(40) }
    const read = identityIn(discoveryReply(odd, 7), 7)
    should(read?.model).equal('a[31mbc')
    should(read?.name).equal('x'.repeat(16))
  })

  it('is never taken from other bytes, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(0xffff), (bytes, id) => {
        const found = identityIn(Buffer.from(bytes), id)
        if (found)
          Object.values(found)
            .join('')
            .should.not.match(/\p{Cc}/u)
        discoveryRequestIn(Buffer.from(bytes))
      }),
      { seed: 20_261_130, numRuns: 5000 },
    )
  })
})

describe('a search for devices', () => {
  const devices: VirtualDevice[] = []
  let port = 0
  const signal = new AbortController().signal

  before(async () => {
    const probe = createSocket('udp4')
    probe.bind(0, '127.0.0.1')
    await once(probe, 'listening')
    port = probe.address().port
    probe.close()
    await once(probe, 'close')
    for (const seed of [1, 2]) devices.push(await startVirtualDevice({ port: 0, seed, discovery: port }))
  })
  after(() => Promise.all(devices.map((device) => device.stop())))

  it('finds the virtual devices of this computer, with the ports of their APIs', async () => {
    const found = await searchDevices({ signal, own: [], port })
    found
      .map(({ details }) => details)
      .sort()
      .should.deepEqual(devices.map((device) => `http=${device.port}`).sort())
    for (const device of found) {
      device.address.should.equal('127.0.0.1')
      device.model.should.equal('vision-single')
      device.isOtherSubnet.should.be.false()
    }
  })

  it('asks each address of a range, and reports its progress', async () => {
    const asked: number[] = []
    const other = createSocket('udp4')
    other.bind(port, '127.0.1.7')
    await once(other, 'listening')
    other.on('message', (bytes, { address, port: from }) =>
      other.send(
        discoveryReply({ ...identity, address: '10.9.8.7' }, discoveryRequestIn(bytes)?.id ?? 0),
        from,
        address,
      ),
    )
    try {
      const found = await searchDevices({
        ...{ signal, own: [], port, range: '127.0.1.1-10' },
        onProgress: (count, total) => asked.push(count / total),
      })
      asked.should.deepEqual([0.4, 0.8, 1])
      const there = found.find(({ from }) => from === '127.0.1.7')
      should(there).containEql({ ...identity, address: '10.9.8.7', isOtherSubnet: false })
    } finally {
      other.close()
    }
  })

  it('reports each device once, whatever it sends', async () => {
    const noisy = createSocket('udp4')
    noisy.bind(port, '127.0.1.8')
    await once(noisy, 'listening')
    noisy.on('message', (bytes, { address, port: from }) => {
      const reply = discoveryReply(
        { ...identity, mac: '02:00:00:00:00:01' },
        discoveryRequestIn(bytes)?.id ?? 0,
      )
      for (let count = 0; count < 20; count++) noisy.send(reply, from, address)
      noisy.send(Buffer.from('junk'), from, address)
    })
    const reported: string[] = []
    try {
      await searchDevices({
        ...{ signal, own: [], port, range: '127.0.1.8' },
        onFound: ({ mac }) => reported.push(mac),
      })
      reported.filter((mac) => mac === '02:00:00:00:00:01').length.should.equal(1)
    } finally {
      noisy.close()
    }
  })

  it('ends at once when it is aborted', async () => {
    const abort = new AbortController()
    const began = performance.now()
    const searching = searchDevices({ signal: abort.signal, own: [], port, range: '127.0.2.0/23' })
    setImmediate(() => abort.abort())
    await searching
    ;(performance.now() - began).should.be.below(1000)
  })

  it('sends nothing if the range is wrong', () =>
    searchDevices({ signal, own: [], port, range: '8.8.8.8' }).should.be.rejectedWith({ fault: 'public' }))
})
