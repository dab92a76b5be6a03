import { networkInterfaces } from 'node:os'
import should from 'should'
import { destinationOf, routeTo } from '../../../virtual-device/streams/streams'

describe('the route of datagrams', () => {
  const way = (destination: string, served?: string) => routeTo(destinationOf(destination), served)

  it('starts at the address at which the device is reached', () => {
    should(way('192.0.2.9:1', '192.0.2.1')).eql({ from: '192.0.2.1' })
    should(way('127.0.0.1:1', '192.0.2.1')).eql({ from: '192.0.2.1' })
    should(way('127.0.0.1:1', '127.0.0.7')).eql({ from: '127.0.0.7' })
    should(way('[2001:db8::9]:1', '2001:db8::1')).eql({ from: '2001:db8::1' })
  })

  it('is left to the system if the device listens on all addresses, or on one of the other family', () => {
    for (const served of ['0.0.0.0', '::', undefined]) should(way('192.0.2.9:1', served)).eql({})
    should(way('[2001:db8::9]:1', '192.0.2.1')).eql({})
    should(way('192.0.2.9:1', '2001:db8::1')).eql({})
  })

  it('does not leave this machine if the device listens on loopback', () => {
    for (const served of ['127.0.0.1', '127.0.0.7', '::1'])
      for (const away of [
        '192.0.2.9:1',
        '255.255.255.255:1',
        '224.0.0.1:1',
        '[2001:db8::9]:1',
        '[fe80::9%lo]:1',
      ])
        should(way(away, served)).be.undefined()
  })

  it('leads from one loopback address to all others, and to the local addresses', () => {
    should(way('127.9.9.9:1', '127.0.0.7')).eql({ from: '127.0.0.7' })
    should(way('[::1]:1', '127.0.0.7')).eql({ from: '::1' })
    should(way('[0:0:0:0:0:0:0:1]:1', '127.0.0.1')).eql({ from: '::1' })
    should(way('127.0.0.1:1', '::1')).eql({ from: '127.0.0.1' })
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    own.should.not.be.empty()
    for (const { address, family } of own)
      should(way(family === 'IPv6' ? `[${address}]:1` : `${address}:1`, '127.0.0.1')).be.ok()
  })
})
