import { lookup, promises } from 'node:dns'
import { Socket } from 'node:net'
import should from 'should'
import { mustBeLoopback } from '../support/loopback-only'

describe('the network of the tests', () => {
  it('knows no name but localhost, and asks no resolver', async () => {
    // Without the guard, this test would ask one.
    lookup.name.should.equal('knownLookup')
    promises.lookup.name.should.equal('knownLookupPromise')
    await promises.lookup('no-such-device.invalid').should.be.rejectedWith({ code: 'ENOTFOUND' })
    await new Promise<void>((resolve) =>
      lookup('no-such-device.invalid', (error) => {
        should(error?.code).equal('ENOTFOUND')
        resolve()
      }),
    )
    should((await promises.lookup('127.0.0.1')).address).equal('127.0.0.1')
  })

  it('ends at this computer', () => {
    for (const here of ['127.0.0.1', '127.1.2.3', '::1', 'localhost', '::ffff:127.0.0.1'])
      mustBeLoopback(here)
    for (const there of ['192.168.0.10', '8.8.8.8', '255.255.255.255', 'fe80::1', '::ffff:10.0.0.1'])
      should(() => mustBeLoopback(there)).throw(/must not connect to/)
    Socket.prototype.connect.name.should.equal('connectHere')
    const socket = new Socket()
    should(() => socket.connect(9, '192.168.0.10')).throw(/must not connect to 192\.168\.0\.10/)
    should(() => socket.connect({ port: 9, host: '10.0.0.1' })).throw(/must not connect to 10\.0\.0\.1/)
    socket.destroy()
  })
})
