import 'should'
import fc from 'fast-check'
import { tidyAddress } from '../../lib/contract/reading/address'

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
  ]
  for (const [text, expected] of cases)
    it(`is stored as ${expected} for ${JSON.stringify(text)}`, () => tidyAddress(text).should.equal(expected))

  it('is unchanged if it is not an address', () => {
    for (const text of [
      '',
      'ftp://host/',
      'a b/',
      'host/?x=1',
      'host/#top',
      'http://',
      'http://http://host/',
    ])
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
