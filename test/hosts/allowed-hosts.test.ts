import should from 'should'
import { allowedHosts, NotAHost, plainAddress } from '../../lib/hosts/allowed-hosts'

describe('the hosts that may connect', () => {
  it('are addresses and networks, whichever way a socket writes them', () => {
    const isAllowed = allowedHosts(['192.0.2.7', ' 198.51.100.0/24 ', '2001:db8::/32'])
    for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '198.51.100.255', '2001:DB8::1%eth0'])
      should(isAllowed(address)).equal(true, address)
    for (const address of ['192.0.2.8', '198.51.101.0', '2001:db9::1', '', 'robot'])
      should(isAllowed(address)).equal(false, address)
    should(allowedHosts([])('127.0.0.1')).be.false()
    plainAddress('::FFFF:127.0.0.1').should.equal('127.0.0.1')
  })

  for (const entry of ['robot', '192.0.2.7/33', '192.0.2.7/', '192.0.2.7/8/8', '2001:db8::/129', '', '1.2.3'])
    it(`are not ${JSON.stringify(entry)}`, () =>
      (() => allowedHosts([entry])).should.throw(NotAHost, { entry }))
})
