import should from 'should'
import type { Scenario } from '../../virtual-device'
import { camera, depth, useDevice } from './support/use-device'

describe('the scenario of the virtual device', () => {
  const api = useDevice({ scenario: { image_client: false } })
  const read = async () => (await api.send('GET', '/virtual/scenario')).body as Scenario
  const change = (json: unknown) => api.send('PUT', '/virtual/scenario', { json })

  it('has every key, with its default unless specified', async () => {
    const scenario = await read()
    scenario.should.eql(api.device.scenario())
    scenario.should.containEql({
      image_client: false,
      genicam_connected: false,
      boot_seconds: 3,
      next_update: 'ok',
    })
    scenario.license.should.containEql({ stereo: true, stereo_plus: true, slam: true })
  })

  it('merges the given part and returns all of it', async () => {
    const { status, body } = await change({ latency_ms: 1, license: { slam: false } })
    status.should.equal(200)
    should(body).containEql({ latency_ms: 1, image_client: false })
    should((body as Scenario).license).containEql({ slam: false, stereo: true })
    should(body).eql(api.device.scenario())
  })

  const wrong: Record<string, unknown> = {
    'an unknown key': { latency_ms: 5, nothing: 1 },
    'a prototype': JSON.parse('{"latency_ms":5,"__proto__":{}}') as unknown,
    'a wrong type': { latency_ms: 5, offline: 'yes' },
    'a number beyond its limits': { latency_ms: 5, drop_answers: 2 },
    'a word that is none of the choices': { latency_ms: 5, next_update: 'maybe' },
    'a wrong type within': { latency_ms: 5, license: { stereo: 1 } },
    'an unknown part of the scene': { scene: { nothing: {} } },
    'an unknown key of the cell': { scene: { hand_eye: { camera: 1 } } },
    'a pose that is not whole': { scene: { hand_eye: { grid_in_cell: { position: { x: 1, y: 0, z: 0 } } } } },
    'a pose without an orientation': {
      scene: {
        hand_eye: {
          grid_in_cell: { position: { x: 1, y: 0, z: 0 }, orientation: { w: 0, x: 0, y: 0, z: 0 } },
        },
      },
    },
    'a range that ends before it begins': { scene: { hand_eye: { nearest: 1, farthest: 0.5 } } },
    'a grid without size': { scene: { hand_eye: { grid_width: 0 } } },
    'no object': [],
    null: null,
  }
  for (const [what, part] of Object.entries(wrong)) {
    it(`refuses ${what}, and applies nothing`, async () => {
      const before = api.device.scenario()
      ;(await change(part)).status.should.equal(400)
      should.throws(() => api.device.setScenario(part as Partial<Scenario>), TypeError)
      api.device.scenario().should.eql(before)
    })
  }

  it('refuses a body that is missing or not JSON', async () => {
    ;(await api.send('PUT', '/virtual/scenario')).status.should.equal(400)
    const sent = { body: '{', headers: { 'content-type': 'application/json' } }
    ;(await api.send('PUT', '/virtual/scenario', sent)).status.should.equal(400)
    const text = { body: '{}', headers: { 'content-type': 'text/plain' } }
    ;(await api.send('PUT', '/virtual/scenario', text)).status.should.equal(415)
  })

  it('is out of reach for web pages: no CORS headers, and no foreign host name', async () => {
    for (const method of ['GET', 'PUT', 'OPTIONS'])
      should(
        (await api.send(method, '/virtual/scenario')).headers.get('access-control-allow-origin'),
      ).be.null()
    const { request } = await import('undici')
    for (const [host, status] of [
      ['evil.example', 403],
      ['127.0.0.1.evil.example', 403],
      [`localhost:${api.device.port}`, 200],
    ] as const) {
      const { statusCode, body } = await request(`${api.device.url}/virtual/scenario`, { headers: { host } })
      await body.dump()
      statusCode.should.equal(status)
    }
  })

  it('keeps the scene of the detection modules if only the cell of the calibration changes', async () => {
    await change({ scene: { detection: { items: 3 } } })
    const { body } = await change({ scene: { hand_eye: { mounting: 'fixed', grid_noise: 0 } } })
    should(body).containDeep({
      scene: { detection: { items: 3 }, hand_eye: { mounting: 'fixed', grid_noise: 0 } },
    })
  })

  it('returns copies', () => {
    api.device.scenario().stale_nodes.push('dev_camera')
    api.device.scenario().stale_nodes.should.eql([])
  })

  describe('while a GenICam client is connected', () => {
    beforeEach(() => api.device.setScenario({ genicam_connected: true }))

    it('forbids writing camera and depth parameters, resetting them, and network settings', async () => {
      const settings = (await api.get('/system/network/settings')).body
      const attempts = [
        await api.put(`${camera}/parameters/fps`, { json: { value: 10 } }),
        await api.put(`${depth}/parameters?quality=Low`),
        await api.put(`${camera}/services/reset_defaults`),
        await api.put('/system/network/settings', { json: settings }),
      ]
      for (const { status, body } of attempts) {
        status.should.equal(403)
        should(body).containDeep({ return_code: { value: -8 } })
      }
      api.device.parameter('camera', 'fps').should.equal(25)
    })

    it('still allows other parameters and other services', async () => {
      const handEye = '/pipelines/0/nodes/dev_hand_eye_calibration'
      ;(await api.put(`${handEye}/parameters?grid_width=0.2`)).status.should.equal(200)
      ;(await api.put(`${depth}/services/acquisition_trigger`)).status.should.equal(200)
    })

    it('is logged in gev.log, as is its release', async () => {
      api.device.setScenario({ genicam_connected: false })
      const { text } = await api.get('/logs/gev.log?format=raw')
      text.should.match(/dev_gev_server: .* registered .*\n.* deregistered /)
    })
  })

  describe('without a license', () => {
    it('forbids parameter writes and services of the modules of that component', async () => {
      api.device.setScenario({ license: { stereo: false } })
      for (const got of [
        await api.put(`${depth}/parameters?seg=10`),
        await api.put(`${depth}/services/acquisition_trigger`),
        await api.put(`${depth}/services/reset_defaults`),
      ]) {
        got.status.should.equal(403)
        should(got.body).containDeep({ return_code: { value: -9 } })
      }
      ;(await api.get(`${depth}/parameters/quality`)).status.should.equal(200)
      should((await api.get('/system/license')).body).containDeep({
        valid: true,
        components: { stereo: false },
      })
    })

    it('forbids only the values that need the component', async () => {
      api.device.setScenario({ license: { stereo_plus: false } })
      ;(await api.put(`${depth}/parameters?quality=Full`)).status.should.equal(403)
      ;(await api.put(`${depth}/parameters?quality=Low`)).status.should.equal(200)
    })
  })
})
