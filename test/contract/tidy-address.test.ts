import should from 'should'
import fc from 'fast-check'
import { addressFault, tidyAddress } from '../../lib/contract/reading/address'
import { parseAddress } from '../../lib/client/address'

describe('an address as people copy it', () => {
  const cases: [string, string][] = [
    [' 192.168.0.10 ', '192.168.0.10'],
    ['http://192.168.0.10/api/v2/', '192.168.0.10'],
    ['HTTP://192.168.0.10//', '192.168.0.10'],
    ['192.168.0.10/api', '192.168.0.10'],
    ['vision.local:8080/api/v2', 'vision.local:8080'],
    ['https://gateway/cell1/api/v2/', 'https://gateway/cell1'],
    ['https:/gateway/', 'https://gateway'],
    ['http://${HOST}:8080/api/v2', '${HOST}:8080'],
    ['${URL}/', '${URL}'],
    ['::1', '[::1]'],
    ['http://[::1]:80/', '[::1]:80'],
    ['api', 'api'],
    ['http://api/v2', 'api/v2'],
    ['http', 'http'],
    ['http:8080', 'http:8080'],
    ['http://127.0.0.1:8080/virtual/', '127.0.0.1:8080'],
    ['http://192.168.0.10:8080/virtual/?language=de#parameters', '192.168.0.10:8080'],
    ['https://gateway/cell1/api/v2/pipelines?x=1', 'https://gateway/cell1/api/v2/pipelines'],
    ['host/?x=1', 'host'],
    ['host/#top', 'host'],
  ]
  for (const [text, expected] of cases)
    it(`is stored as ${expected} for ${JSON.stringify(text)}`, () => tidyAddress(text).should.equal(expected))

  it('is unchanged if it is not an address', () => {
    for (const text of ['', 'ftp://host/', 'a b/', 'me:p?x@host/', 'http://', 'http://http://host/'])
      tidyAddress(text).should.equal(text)
  })

  it('is unchanged when tidied again', () => {
    const piece = fc.constantFrom(
      'http:',
      'https://',
      '/',
      '//',
      'api',
      'v2',
      'host',
      '${A}',
      ':80',
      '@',
      '::1',
      '\\',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const tidy = tidyAddress(pieces.join(''))
        tidyAddress(tidy).should.equal(tidy)
      }),
      { seed: 20_261_122, numRuns: 3000 },
    )
  })
})

describe('an address that cannot be one', () => {
  const cases: [string, ReturnType<typeof addressFault>][] = [
    ['${HOST', 'reference'],
    ['http://${}:80', 'reference'],
    ['ftp://host', 'scheme'],
    ['192,168.0.10', 'comma'],
    ['192.168.0,10:8080', 'comma'],
    ['host:', 'port'],
    ['host:0', 'port'],
    ['host:65536', 'port'],
    ['host:80a', 'port'],
    ['192.168.10', 'ip'],
    ['192.168.0.300', 'ip'],
    ['192.168.000.010', 'ip'],
    ['3232235530', 'ip'],
    ['', 'host'],
    ['http://', 'host'],
    ['a b', 'host'],
    ['host!', 'host'],
    ['host;x', 'host'],
    ['[::1', 'host'],
    ['[fe80::1%eth0]', 'host'],
    ['192.168.0.10', undefined],
    ['192.168.0.${N}', undefined],
    ['${HOST}:${PORT}/${CELL}', undefined],
    ['https://gw/cell1', undefined],
    ['[fe80::1]:8080', undefined],
    ['kamera-süd.local', undefined],
    ['cell_2', undefined],
  ]
  for (const [text, fault] of cases)
    it(`is named for ${JSON.stringify(text)}: ${fault ?? 'it is one'}`, () =>
      should(addressFault(text)).equal(fault))

  it('never passes what the client refuses', () => {
    const piece = fc.constantFrom(
      'http://',
      'host',
      ':',
      '8080',
      '.',
      '192',
      '/',
      'x',
      ',',
      '${',
      'ü',
      '%',
      '[',
      ']',
      '::1',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
        const text = tidyAddress(pieces.join(''))
        if (addressFault(text) === undefined) parseAddress(text)
      }),
      { seed: 20_261_130, numRuns: 3000 },
    )
  })
})
