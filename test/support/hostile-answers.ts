import { gzipSync } from 'node:zlib'
import { seededRandom } from '../../virtual-device/values'
import type { Alteration, Real } from './proxies/altering-proxy'

const page =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body><form>password</form></body></html>'

const asJson =
  (text: string | Buffer, headers: Record<string, string> = {}): Alteration =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text)

const withStatus =
  (status: number, text = '', headers: Record<string, string> = {}): Alteration =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** Modifies the true answer. */
const changed =
  (change: (text: string, real: Real) => Alteration): Alteration =>
  (response, real) =>
    change(real.body.toString(), real)(response, real)

/** By description. @param elsewhere target of redirections */
export const hostileAnswers = (elsewhere: string): Record<string, Alteration> => ({
  'the page of a login portal': (response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page),
  'a page said to be JSON': asJson(page),
  null: asJson('null'),
  'a list': asJson('[]'),
  'an empty object': asJson('{}'),
  'a number': asJson('25'),
  'a text': asJson('"device"'),
  NaN: asJson('NaN'),
  'a list of nulls': asJson('[null, null]'),
  'lists within lists': asJson(deep(100_000)),
  'objects within objects': asJson('{"response":'.repeat(50_000) + '1' + '}'.repeat(50_000)),
  'keys of the prototype': changed((text) =>
    asJson(
      text.replace(/^\{/, '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},'),
    ),
  ),
  'every key twice': changed((text) => asJson(text.replace(/"(\w+)":/g, '"$1":null,"$1":'))),
  'the second of two equal keys wrong': changed((text) =>
    asJson(text.replace(/\}$/, ',"response":7,"name":7}')),
  ),
  'numbers beyond all numbers': changed((text) => asJson(text.replace(/(?<=[:,[])-?\d[\d.e+]*/g, '1e999'))),
  'texts in place of numbers': changed((text) => asJson(text.replace(/(?<=[:,[])(-?\d[\d.e+]*)/g, '"NaN"'))),
  'nulls in place of numbers': changed((text) => asJson(text.replace(/(?<=[:,[])(-?\d[\d.e+]*)/g, 'null'))),
  'texts of a million letters': changed((text) => asJson(text.replace(/:""?/, `:"${'x'.repeat(1_000_000)}`))),
  'UTF-16': changed((text) =>
    asJson(Buffer.from(text, 'utf16le'), { 'content-type': 'application/json; charset=utf-16' }),
  ),
  'letters that are none': asJson(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  'gzip that was not asked for': changed((text) => asJson(gzipSync(text), { 'content-encoding': 'gzip' })),
  'fewer bytes than announced': changed((text) =>
    asJson(text.slice(0, -1), { 'content-length': String(text.length - 1) }),
  ),
  'an empty body': withStatus(200),
  'no content': (response) => response.writeHead(204).end(),
  'UBJSON that is none': asJson(Buffer.from('[{$i#I\x7f\xff'), { 'content-type': 'application/ubjson' }),
  'UBJSON of endless lists': asJson(Buffer.from('['.repeat(100_000)), {
    'content-type': 'application/ubjson',
  }),
  'a redirection elsewhere': (response, real) =>
    withStatus(307, '', { location: `${elsewhere}/stolen` })(response, real),
  'a permanent redirection elsewhere': (response, real) =>
    withStatus(308, '', { location: `${elsewhere}/stolen` })(response, real),
  'a wish to wait for an hour': withStatus(429, '{"message":"slow down"}', { 'retry-after': '3600' }),
  'two answers to one request': ({ socket }) => {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'
    socket?.write(answer + answer)
  },
  'more bytes than announced': ({ socket }) => {
    socket?.write(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}{"more":1}',
    )
  },
  'early hints before the truth': (response, { status, headers, body }) => {
    response.writeProcessing()
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    response.writeHead(status, headers).end(body)
  },
  'a thousand headers': (response) =>
    response
      .writeHead(200, Object.fromEntries([...Array(1000).keys()].map((n) => [`x-${n}`, 'x'.repeat(50)])))
      .end('{}'),
  'a login that is wanted': withStatus(401, page, {
    'www-authenticate': 'Negotiate',
    'content-type': 'text/html',
  }),
  'an error within lists within lists': withStatus(400, deep(20_000)),
  'an error with a return code of texts': withStatus(400, '{"return_code":{"value":"-1","message":{"a":1}}}'),
  'an error with a message that is none': withStatus(500, '{"message":{"toString":1}}'),
  'an error of a million letters': withStatus(404, `{"message":"${'no '.repeat(300_000)}"}`),
  'an unknown status': withStatus(599, 'out of order', { 'content-type': 'text/plain' }),
  'an error that repeats the request': (response) =>
    withStatus(403, JSON.stringify({ message: `refused ${String(response.req.headers.authorization)}` }))(
      response,
      {} as Real,
    ),
})

const wrongs: readonly unknown[] = [
  undefined,
  null,
  true,
  -1,
  1e300,
  '',
  'NaN',
  [],
  [null],
  {},
  { x: null },
  { position: null, orientation: {} },
  [[[[]]]],
]

type Branch = Record<string | number, unknown>

/** True JSON answers with one part changed each, drawn from the seed. */
export function slips(seed: number): Alteration {
  const random = seededRandom(seed)
  const below = (count: number) => Math.floor(random() * count)
  return (response, { status, headers, body }) => {
    let value: unknown
    try {
      value = JSON.parse(body.toString())
    } catch {
      response.writeHead(status, headers).end(body)
      return
    }
    const holder: Branch = { value }
    let [at, key]: [Branch, string] = [holder, 'value']
    // Prefers deeper parts.
    for (let depth = 0; depth < 8; depth++) {
      const part = at[key]
      const keys = typeof part === 'object' && part !== null ? Object.keys(part) : []
      if (keys.length === 0 || (depth > 0 && random() < 0.2)) break
      ;[at, key] = [part as Branch, keys[below(keys.length)] as string]
    }
    at[key] = wrongs[below(wrongs.length)]
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(holder['value'] ?? null))
  }
}
