import 'should'
import { createClient, VisionError, type ClientOptions } from '../../lib'
import { parseAddress } from '../../lib/client/address'

describe('the address of a device', () => {
  const cases: [string, string, string][] = [
    ['192.168.0.10', 'http://192.168.0.10', '/api/v2'],
    [' device-1234.local ', 'http://device-1234.local', '/api/v2'],
    ['host:8080', 'http://host:8080', '/api/v2'],
    ['http://host:80/', 'http://host', '/api/v2'],
    ['https://gw/cell1', 'https://gw', '/cell1/api/v2'],
    ['https://gw/a%20b/', 'https://gw', '/a%20b/api/v2'],
    ['http://host/api/v2/', 'http://host', '/api/v2'],
    ['http://host/api', 'http://host', '/api/v2'],
    ['host/API/v1//', 'http://host', '/api/v2'],
    ['HTTPS://gw/cell1/api/v2/', 'https://gw', '/cell1/api/v2'],
    ['http:/host', 'http://host', '/api/v2'],
    ['http:\\\\host\\api\\v2\\', 'http://host', '/api/v2'],
    ['//host:8080/', 'http://host:8080', '/api/v2'],
    ['::1', 'http://[::1]', '/api/v2'],
    ['[fe80::1]:8080', 'http://[fe80::1]:8080', '/api/v2'],
  ]
  for (const [text, origin, path] of cases) {
    it(`is understood as ${text}`, () => parseAddress(text).should.containEql({ origin, path }))
  }

  for (const text of [
    '',
    '  ',
    'ftp://host',
    'file:///etc',
    'http://',
    'http://a b',
    'http://host:0',
    '192,168.0.10',
    '192.168.10',
    'http://me:pw@ho st',
  ]) {
    it(`is refused as ${JSON.stringify(text)}`, () =>
      (() => createClient({ address: text })).should.throw(VisionError, { code: 'INVALID_INPUT' }))
  }

  it('is refused with the part that is wrong', () => {
    ;(() => parseAddress('192,168.0.10')).should.throw(/contains a comma. Use dots/)
    ;(() => parseAddress('me:pw@host:', 'de')).should.throw(/Der Port nach dem Doppelpunkt fehlt/)
  })

  it('has the same host name however often it was parsed', () => {
    for (let count = 0; count < 50_000; count++) parseAddress('http://gerät.local/zelle')
    parseAddress('gerät.local').origin.should.equal('http://xn--gert-noa.local')
  })

  it('is shown without its login', () => {
    const client = createClient({ address: 'https://me:secret@gw/cell1' })
    client.address.should.equal('https://gw/cell1')
    parseAddress('http://me:p%40ss@host').should.containEql({ login: { user: 'me', password: 'p@ss' } })
    JSON.stringify(Object.entries(client)).should.not.containEql('secret')
    ;(() => parseAddress('http://me:%ff@host')).should.throw(VisionError, { code: 'INVALID_INPUT' })
  })

  it('must be text', () =>
    (() => createClient({ address: undefined as unknown as string })).should.throw(VisionError, {
      code: 'INVALID_INPUT',
    }))
})

describe('the options of a client', () => {
  const wrong: Partial<Record<keyof ClientOptions, unknown[]>> = {
    format: ['xml'],
    deadline: [0, -1, NaN, Infinity, '5'],
    uploadDeadline: [0],
    connectDeadline: [0],
    concurrency: [0, 1.5, NaN],
    pace: [-1, NaN, Infinity],
    queue: [-1, 0.5],
    maxAnswerBytes: [0],
    retries: [-1],
    login: [{ token: 'a\r\nx-header: b' }],
  }
  for (const [option, values] of Object.entries(wrong)) {
    it(`are checked: ${option}`, () => {
      for (const value of values) {
        const options = { address: 'host', [option]: value } as ClientOptions
        ;(() => createClient(options)).should.throw(new RegExp(`The option ${option} `))
      }
    })
  }
})
