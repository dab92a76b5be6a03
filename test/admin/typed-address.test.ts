import should from 'should'
import { typedAddress } from '../../lib/contract/reading/address'

describe('an address as typed', () => {
  const cases: [typed: string, shown: string, login: string][] = [
    ['192.168.0.10', '192.168.0.10', ''],
    ['host:8080/cell1', 'host:8080/cell1', ''],
    ['https://gateway/cell@1', 'https://gateway/cell@1', ''],
    ['[fe80::1]:8080/x@y', '[fe80::1]:8080/x@y', ''],
    ['admin:secret@host', 'host', 'admin:secret'],
    ['admin:secret@host:80/cell?key=1#x', 'host:80/cell', 'admin:secret'],
    ['http://admin:secret@host', 'http://host', 'admin:secret'],
    ['http://admin:s@cret@host', 'http://host', 'admin:s@cret'],
    ['admin:se/cret@host', 'host', 'admin:se/cret'],
    ['admin:se?cret@host/x', 'host/x', 'admin:se?cret'],
    ['https://admin:12#secret@host', 'https://host', 'admin:12#secret'],
    ['token@host', 'host', 'token'],
    ['${HOST}:${PORT}', '${HOST}:${PORT}', ''],
    ['', '', ''],
  ]
  for (const [typed, shown, login] of cases)
    it(`${JSON.stringify(typed)} is shown without login and query`, () =>
      should(typedAddress(typed)).eql({ shown, login }))
})
