import should from 'should'
import { useAdmin } from '../support/admin'
import { useBench } from '../support/bench'
import { closedAddress, json, reply, silence, startMisbehavingServer } from '../support/misbehaving-server'
import { startMuteServer, type Behaviour, type MisbehavingServer } from '../support/misbehaving-server'
import { testCertificate } from '../support/test-certificate'

const fields = { type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' }
const stored = { user: 'robot', password: 's3cret-word', token: 't0ken-word' }

describe('the device in an open form', () => {
  const config = { login: 'password', healthInterval: 3600 }
  const bench = useBench(fields, { config, credentials: { device: stored } })
  const admin = useAdmin()
  let server: MisbehavingServer
  before(async () => {
    server = await startMisbehavingServer()
  })
  beforeEach(() => {
    server.behave(json({ message: 'nothing here' }, 404))
    server.received.length = 0
  })
  after(() => server.stop())

  const probe = async (device: object) => admin.post('vision-devices/probe', { device })
  const authorizations = () => server.received.map(({ headers }) => headers.authorization)

  it('is identified without a deploy', async () => {
    const { status, body } = await probe({ address: bench.device.url })
    status.should.equal(200)
    const { latency, ...identity } = body as { latency: number }
    latency.should.be.within(0, 1000)
    const { body: system } = await admin.get('vision-devices/device/read/getSystem')
    const { serial, hostname, firmware } = system as Record<string, never> & {
      hostname: string
      firmware: { active_image: { image_version: string } }
    }
    identity.should.eql({
      reached: true,
      ready: true,
      model: hostname.replace(`-${String(serial)}`, ''),
      serial,
      hostname,
      firmware: firmware.active_image.image_version,
      variant: 'single',
    })
  })

  it('may still be starting', async () => {
    server.behave(reply(502))
    should((await probe({ address: server.url })).body).eql({
      reached: false,
      problem: 'starting',
      status: 502,
    })
  })

  it('is named in errors without the login in its address, with or without a scheme', async () => {
    server.behave(json({ message: 'no' }, 500))
    const { host } = new URL(server.url)
    for (const address of [`admin:s3cret@${host}`, `http://admin:s3cret@${host}`, 'admin:s3/cret@host']) {
      const { status, body } = await admin.post('vision-devices/probe/read/getSystem', {
        device: { address },
      })
      status.should.be.aboveOrEqual(400)
      JSON.stringify(body).should.not.match(/s3|cret@/)
    }
  })

  describe('that does not answer as a device', () => {
    const says = (behaviour: Behaviour) => () => server.behave(behaviour)
    const html = '<html>400 The plain HTTP request was sent to HTTPS port</html>'
    const page = (status: number) => says(reply(status, html, { 'content-type': 'text/html' }))
    const toLogin = { location: '/login' }
    const who = { message: 'who are you' }
    const fault = { message: 'disk is full' }
    const here = () => server.url
    const problems: [
      how: string,
      problem: string,
      address: () => string | Promise<string>,
      prepare?: () => void,
      answer?: { status?: number; said?: string },
    ][] = [
      ['nobody listens', 'refused', closedAddress],
      ['it has no such resources', 'nothingThere', here, undefined, { status: 404, said: 'nothing here' }],
      ['a page says so', 'nothingThere', here, page(404), { status: 404 }],
      ['it serves pages', 'otherDevice', here, page(200), { status: 200 }],
      ['a page of an error', 'otherDevice', here, page(500), { status: 500 }],
      ['it says something else', 'otherDevice', here, says(json({ name: 'another' })), { status: 200 }],
      ['it leads elsewhere', 'redirected', here, says(reply(302, '', toLogin)), { status: 302 }],
      ['a gateway asks who', 'login', here, says(json(who, 401)), { status: 401, said: 'who are you' }],
      ['it has enough', 'askedTooOften', here, says(json({}, 429, { 'retry-after': '60' })), { status: 429 }],
      ['it failed', 'inTrouble', here, says(json(fault, 500)), { status: 500, said: 'disk is full' }],
      ['it cannot now', 'starting', here, says(json(fault, 503)), { status: 503, said: 'disk is full' }],
      ['a gateway waits in vain', 'behindGateway', here, page(504), { status: 504 }],
      ['it wants HTTPS', 'wantsHttps', here, page(400), { status: 400 }],
      ['it speaks no HTTPS', 'notHttps', () => server.url.replace('http:', 'https:')],
      ['it is silent', 'noAnswer', here, () => server.behave(silence)],
      ['it hangs up', 'cutOff', here, () => server.resetConnections(9)],
      ['nobody has that name', 'unknownName', () => 'http://no-such-device.invalid'],
    ]
    for (const [how, problem, address, prepare, answer] of problems)
      it(`is reported with the reason: ${how}`, async () => {
        prepare?.()
        const { status, body } = await probe({
          address: await address(),
          deadline: 0.3,
          connectDeadline: 0.3,
        })
        should({ status, body }).eql({ status: 200, body: { reached: false, problem, ...answer } })
        server.resetConnections(0)
      })

    it('is reported with the reason: no connection is possible', async () => {
      const mute = await startMuteServer()
      const { body } = await probe({ address: mute.url, connectDeadline: 0.2 })
      should(body).eql({ reached: false, problem: 'noAnswer' })
      await mute.deserted()
      await mute.stop()
    })

    it('is reported with the reason: its certificate is unknown, and it does not speak plain HTTP', async () => {
      const secure = await startMisbehavingServer(testCertificate)
      should((await probe({ address: secure.url })).body).eql({ reached: false, problem: 'certificate' })
      const plain = secure.url.replace('https:', 'http:')
      should((await probe({ address: plain })).body).eql({ reached: false, problem: 'cutOff' })
      await secure.stop()
    })
  })

  it('must be an object', async () => {
    const wrong: [device: unknown, message: RegExp][] = [
      [undefined, /JSON object/],
      [[], /JSON object/],
      [{}, /address is empty/],
      [{ address: 1 }, /address must be text/],
      [{ address: 'ftp://x' }, /neither http/],
      [{ address: '${VISION_TEST_NONE}' }, /VISION_TEST_NONE/],
      [{ address: 'x', deadline: 'soon' }, /deadline/],
      [{ address: 'x', login: 'password', user: 'me' }, /password is empty/],
      [{ address: 'x', login: 'token', token: {} }, /token must be text/],
      [{ address: 'x', tls: 'gone' }, /TLS settings/],
    ]
    for (const [device, message] of wrong)
      should(await admin.post('vision-devices/probe', { device })).match({
        status: 400,
        body: { code: 'INVALID_INPUT', message },
      })
  })

  describe('with a login', () => {
    it('receives what was typed', async () => {
      await probe({ address: server.url, login: 'token', token: 'typed' })
      await probe({ id: 'device', address: server.url, login: 'password', user: 'me', password: 'typed' })
      const basic = `Basic ${Buffer.from('me:typed').toString('base64')}`
      authorizations().should.eql(['Bearer typed', basic])
    })

    it('receives a stored secret at the address that it is stored for', async () => {
      const device = { id: 'device', address: `${bench.device.url}/`, login: 'password', user: 'robot' }
      should(await probe({ ...device, password: '__PWRD__' })).match({ body: { reached: true } })
      const untouched = { id: 'device', address: bench.device.url, login: 'password' }
      should(await probe(untouched)).match({ body: { reached: true } })
    })

    it('receives no stored secret at any other address, nor with other TLS settings', async () => {
      const form = { id: 'device', user: 'robot', password: '__PWRD__', token: '__PWRD__' }
      for (const device of [
        { ...form, address: server.url, login: 'password' },
        { ...form, address: server.url, login: 'token' },
        { ...form, address: `${bench.device.url}/gateway`, login: 'password' },
        { ...form, address: bench.device.url.replace('http:', 'https:'), login: 'password' },
        { ...form, address: bench.device.url, tls: 'tls', login: 'password' },
        { ...form, id: 'another', address: bench.device.url, login: 'password' },
        { id: 'device', address: server.url, login: 'password' },
        { ...form, id: '', address: bench.device.url, login: 'token' },
      ]) {
        for (const route of ['probe', 'probe/read/getSystem', 'probe/call/reboot']) {
          const { status, body } = await admin.post(`vision-devices/${route}`, { device })
          should({ status, body }).match({ status: 400, body: { message: /Enter it again/ } })
        }
      }
      server.received.should.be.empty()
    })

    it('never shows the secret', async () => {
      server.behave((response, request) => {
        json({ message: `bad ${String(request.headers.authorization)}` }, 401)(response, request)
      })
      const device = { address: server.url, login: 'token', token: 'typed-word' }
      const answers = [
        await probe(device),
        await admin.post('vision-devices/probe/read/getSystem', { device }),
        await admin.post('vision-devices/probe/call/reboot', { device }),
        await admin.get('vision-devices/device/read/getSystem'),
      ]
      authorizations().should.containEql('Bearer typed-word')
      const shown = JSON.stringify([answers, bench.logged('vision-device-config')])
      shown.should.not.match(/typed-word|s3cret-word|t0ken-word/)
    })
  })

  it('has its environment variables resolved, but not shown', async () => {
    process.env['VISION_TEST_PLACE'] = 'hidden-place'
    after(() => Reflect.deleteProperty(process.env, 'VISION_TEST_PLACE'))
    const device = { address: `${server.url}/\${VISION_TEST_PLACE}` }
    const { status, body } = await admin.post('vision-devices/probe/read/getTime', { device })
    status.should.equal(404)
    server.received.at(-1)?.url.should.equal('/hidden-place/api/v2/system/time')
    JSON.stringify(body).should.containEql('VISION_TEST_PLACE').and.not.containEql('hidden-place')
    const lost = { address: 'http://${VISION_TEST_PLACE}.invalid' }
    const { body: problem } = await admin.post('vision-devices/probe/read/getTime', { device: lost })
    JSON.stringify(problem).should.not.containEql('hidden-place')
  })

  it('gets its errors in the language of the editor', async () => {
    const device = { address: server.url, login: 'password', user: 'me', password: '__PWRD__' }
    const german = { headers: { 'content-type': 'application/json', 'accept-language': 'de' } }
    const { body } = await admin.post('vision-devices/probe', { device }, german)
    should(body).match({ message: /gespeicherte Wert password/ })
  })

  it('is released as soon as the browser disconnects', async () => {
    server.behave(silence)
    const gone = new AbortController()
    const asked = admin.post(
      'vision-devices/probe',
      { device: { address: server.url } },
      { signal: gone.signal },
    )
    await server.arrived(1)
    gone.abort()
    await asked.should.be.rejected()
    await server.deserted()
  })

  it('leaves nothing behind', async () => {
    const device = { address: server.url }
    await Promise.all(
      Array.from({ length: 8 }, () => admin.post('vision-devices/probe/read/getTime', { device })),
    )
    await server.deserted()
  })

  it('is one of at most eight at a time', async () => {
    server.behave(silence)
    const gone = new AbortController()
    const device = { address: server.url }
    const asked = Array.from({ length: 8 }, () =>
      admin.post('vision-devices/probe', { device }, { signal: gone.signal }),
    )
    const ended = Promise.allSettled(asked)
    await server.arrived(8)
    should(await probe(device)).match({ status: 503, body: { code: 'BUSY' } })
    gone.abort()
    await ended
    await server.deserted()
    server.behave(json({}))
    should((await probe(device)).status).equal(200)
  })
})
