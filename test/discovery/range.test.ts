import 'should'
import { addressesIn, NotARange } from '../../lib/discovery/range'

describe('a range of addresses', () => {
  const cases: [string, number, string, string][] = [
    ['192.168.0.10', 1, '192.168.0.10', '192.168.0.10'],
    ['192.168.0.77/24', 254, '192.168.0.1', '192.168.0.254'],
    ['192.168.0.10-50', 41, '192.168.0.10', '192.168.0.50'],
    [' 10.0.0.250 - 10.0.1.5 ', 12, '10.0.0.250', '10.0.1.5'],
    ['172.31.255.4/30', 2, '172.31.255.5', '172.31.255.6'],
    ['169.254.1.2/32', 1, '169.254.1.2', '169.254.1.2'],
    ['10.1.0.0/22', 1022, '10.1.0.1', '10.1.3.254'],
  ]
  for (const [text, count, first, last] of cases)
    it(`${text} has ${count} addresses, from ${first} to ${last}`, () => {
      const addresses = addressesIn(text)
      addresses.length.should.equal(count)
      addresses[0]?.should.equal(first)
      addresses.at(-1)?.should.equal(last)
    })

  const refused: [string, NotARange['fault']][] = [
    ['', 'form'],
    ['host', 'form'],
    ['192.168.0.0/33', 'form'],
    ['192.168.0.0/24/1', 'form'],
    ['192.168.0.1-2-3', 'form'],
    ['192.168.0.256', 'form'],
    ['192.168.0.50-10', 'order'],
    ['10.0.0.0/8', 'size'],
    ['10.0.0.0-10.0.4.0', 'size'],
    ['8.8.8.8', 'public'],
    ['172.32.0.1', 'public'],
    ['192.167.255.250-192.168.0.5', 'public'],
    ['224.0.0.1', 'public'],
    ['255.255.255.255', 'public'],
    ['0.0.0.0/30', 'public'],
  ]
  for (const [text, fault] of refused)
    it(`${JSON.stringify(text)} is refused for its ${fault}`, () =>
      (() => addressesIn(text)).should.throw(NotARange, { fault }))
})
