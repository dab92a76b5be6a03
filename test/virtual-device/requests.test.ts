import should from 'should'
import { connect, type Socket } from 'node:net'
import { encodeUbjson } from '../../lib/codec/ubjson'
import { camera, useDevice, type SentRequest } from './support/use-device'

const json = { 'content-type': 'application/json' }
const fps = `${camera}/parameters/fps`

describe('requests to the virtual device', () => {
  afterEach('the device is as it was', async () => {
    const { text } = await api.get(fps)
    text.should.containEql('"value":25.0')
    should(({} as Record<string, unknown>).polluted).be.undefined()
  })

  // The server's own end is later than the check.
  const api = useDevice({ maxBodyBytes: 200_000, bodyTimeout: 0.05 })

  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const bad: Record<string, [number, SentRequest]> = {
    'malformed JSON': [400, { body: '{"value":', headers: json }],
    'JSON that ends too early': [400, { body: '[{"name":"fps","value":10', headers: json }],
    'a text that is no object': [400, { body: '"fps"', headers: json }],
    'a number that is no object': [400, { body: '10', headers: json }],
    null: [400, { body: 'null', headers: json }],
    'deep nesting': [400, { body: `{"value":${nested(50_000)}}`, headers: json }],
    'deep nesting that is not closed': [400, { body: '['.repeat(100_000), headers: json }],
    'a prototype as key': [400, { body: '{"__proto__":{"value":10,"polluted":1}}', headers: json }],
    'a constructor as key': [400, { body: '{"constructor":{"prototype":{"polluted":1}}}', headers: json }],
    'a huge number': [400, { body: `{"value":${'9'.repeat(10_000)}}`, headers: json }],
    'a long text as value': [400, { json: { value: 'x'.repeat(100_000) } }],
    'malformed UBJSON': [
      400,
      { body: new Uint8Array([0x5b, 0x54]), headers: { 'content-type': 'application/ubjson' } },
    ],
    'endless UBJSON': [
      400,
      {
        body: Buffer.from('[#l\x7f\xff\xff\xff', 'latin1'),
        headers: { 'content-type': 'application/ubjson' },
      },
    ],
    'a body that is too long': [413, { json: { value: 'x'.repeat(300_000) } }],
    'plain text': [415, { body: '{"value":10}', headers: { 'content-type': 'text/plain' } }],
    'a form': [415, { body: 'value=10', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    'a form with files': [415, { body: new FormData() }],
    'a content type that is none': [415, { body: '{"value":10}', headers: { 'content-type': ';;;' } }],
    'a compressed body': [415, { body: '{"value":10}', headers: { ...json, 'content-encoding': 'gzip' } }],
  }
  for (const [what, [status, sent]] of Object.entries(bad))
    it(`answer ${status} to ${what}, with a short sentence`, async () => {
      const got = await api.put(fps, sent)
      got.status.should.equal(status)
      const { message, return_code } = got.body as { message: string; return_code: { message: string } }
      message.length.should.be.within(5, 300)
      return_code.message.should.equal(message)
    })

  it('may have their body in UBJSON', async () => {
    const headers = { 'content-type': 'application/ubjson' }
    const { status, text } = await api.put(fps, {
      body: new Uint8Array(encodeUbjson({ value: 10 })),
      headers,
    })
    status.should.equal(200)
    text.should.containEql('"value":10.0')
    await api.put(fps, { json: { value: 25 } })
  })

  it('address one resource each, encoded or not', async () => {
    const encoded = camera.replace('dev_camera', '%64ev_camera')
    ;(await api.get(`${encoded}/parameters/f%70s`)).status.should.equal(200)
    for (const path of [
      '/pipelines/0/nodes/dev_camera%2Fparameters%2Ffps',
      '/pipelines/0/nodes/%2E%2E/dev_camera',
      '/pipelines/0/nodes/DEV_CAMERA',
      `${camera}/parameters/fps/`,
      `/${camera}`,
      `${camera}/parameters/${'x'.repeat(5000)}`,
      '/nodes/__proto__',
      '/nodes/constructor/services/call',
      '/logs/..%2F..%2Fetc%2Fpasswd',
      '/logs/__proto__',
    ]) {
      const { status, body } = await api.get(path)
      status.should.equal(404)
      should((body as { message: string }).message.length).be.within(5, 300)
    }
    for (const path of ['/nodes/%zz', '/pipelines/0/nodes//parameters'])
      (await api.get(path)).status.should.equal(400)
  })

  it('may be preceded by a preflight request, as from browsers', async () => {
    const { status, headers } = await api.send('OPTIONS', `/api/v2${fps}`)
    status.should.equal(204)
    should(headers.get('access-control-allow-origin')).equal('*')
    should(headers.get('access-control-allow-methods')).match(/PUT/)
  })

  it('are not found outside the API, by any method', async () => {
    for (const path of ['/', '/api/v3/nodes', '/api/v2', '/favicon.ico'])
      for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'])
        (await api.send(method, path)).status.should.equal(404)
    ;(await api.send('POST', `/api/v2${fps}`)).status.should.equal(404)
  })

  it('ignore unknown query keys', async () => {
    ;(await api.get(`${fps}?other=1&__proto__=2`)).status.should.equal(200)
  })

  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      let answer = ''
      const socket: Socket = connect(api.device.port, '127.0.0.1', () => socket.write(text))
      socket.on('data', (chunk) => (answer += chunk.toString()))
      socket.on('error', reject)
      socket.on('close', () => resolve(answer))
    })

  it('are answered even if they are not HTTP', async () => {
    ;(await raw('HELLO\r\n\r\n')).should.match(/^HTTP\/1.1 400 .*"return_code"/s)
    ;(await raw(`GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).should.match(/^HTTP\/1.1 431 /)
  })

  it('are dropped if the body does not arrive', async () => {
    const head = `PUT /api/v2${fps} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 12\r\n\r\n`
    ;(await raw(`${head}{"va`)).should.match(/^HTTP\/1.1 408 .*the body did not arrive/s)
  })

  it('leave no long bodies in the list of calls or in the log', async () => {
    for (let count = 0; count < 20; count++) await api.put(fps, { json: { value: 'x'.repeat(100_000) } })
    JSON.stringify(api.device.calls()).length.should.be.below(20_000)
    ;(await api.get('/logs/api.log')).text.length.should.be.below(20_000)
  })
})
