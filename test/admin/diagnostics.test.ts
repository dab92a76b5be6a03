import should from 'should'
import { useAdmin } from '../support/admin'
import { onTab, useBench } from '../support/bench'
import {
  closedAddress,
  json,
  startMisbehavingServer,
  type MisbehavingServer,
} from '../support/misbehaving-server'

/** Makes each of them different from all others. */
let planted = 0
const plant = (form = (secret: string) => secret) => form(`pl4nted-${++planted}-x`)

const secrets = {
  user: plant(),
  password: plant(),
  token: plant(),
  lockHash: plant(),
  addressUser: plant(),
  addressPassword: plant(),
  environment: plant(),
  inEnvironmentAddress: plant(),
  parameter: plant(),
  status: plant(),
  dongle: plant(),
  inLog: plant(),
  quoted: plant(),
  said: plant(),
  bearer: plant(),
  query: plant(),
  written: plant(),
  userInfo: plant(),
  bareAddressPassword: plant(),
}
const hash = 'f'.repeat(24) + '0123456789abcdef'.repeat(2)
const licenceKey = 'AB12-CD34-EF56-GH78'

/** A device that repeats every secret it has ever received, wherever it can. */
const answers: Record<string, unknown> = {
  '/system': {
    dns: { dns_servers: [], manual_dns_servers: [] },
    firmware: {
      active_image: { image_version: 'v1.2.3' },
      inactive_image: { image_version: 'v1.2.2' },
      fallback_booted: false,
      next_boot_image: 'active_image',
    },
    hostname: `host-of-${secrets.user}`,
    dongle_id: secrets.dongle,
    link_speed: 1000,
    mac: '00:11:22:33:44:55',
    ready: true,
    serial: '1234',
    time: 1,
    uptime: 10,
  },
  '/pipelines': { '0': { type: 'stereo_a', status: 'running' } },
  '/pipelines/0/nodes': [
    {
      name: 'dev_camera',
      parameters: ['fps', 'proxy_password'],
      services: ['reset_defaults'],
      status: 'running',
    },
  ],
  '/pipelines/0/nodes/dev_camera/parameters': [
    { name: 'fps', type: 'float64', value: 25, default: 25, min: 1, max: 25, description: 'rate (Hz)' },
    { name: 'proxy_password', type: 'string', value: secrets.parameter, default: '', description: 'text' },
  ],
  '/pipelines/0/nodes/dev_camera/status': {
    status: 'running',
    timestamp: 1,
    values: { api_token: secrets.status, note: `seen ${secrets.password}`, temperature: '41' },
  },
  '/nodes': [],
  '/datastreams': [],
  '/logs': [{ name: 'device.log', date: 1 }],
  '/logs/device.log': {
    name: 'device.log',
    date: 1,
    log: [
      `login with ${secrets.token} and ${encodeURIComponent(secrets.environment)}`,
      `Basic ${Buffer.from(`${secrets.user}:${secrets.password}`).toString('base64')}`,
      `PUT /ui_lock?hash=${secrets.inLog}`,
      `{"password": "${secrets.quoted}"}`,
      `the password is ${secrets.said}`,
      `authorization: Bearer ${secrets.bearer}`,
      `GET https://${secrets.userInfo}:pw@proxy/file?token=${secrets.query}`,
      `lock set to ${hash}`,
      `license ${licenceKey} accepted`,
      `seen ${secrets.bareAddressPassword}`,
      'fps set to 25',
    ].map((message) => ({ component: 'dev_camera', level: 'INFO', message, timestamp: 1 })),
  },
}

describe('the diagnostics file', () => {
  const device = { type: 'vision-device-config', name: '', healthInterval: 3600 }
  const talkative = { ...device, id: 'talkative', address: '', login: 'password' }
  const gateway = { ...device, id: 'gateway', address: '' }
  const flow = [
    talkative,
    { ...device, id: 'tokened', address: '127.0.0.1:9', login: 'token' },
    gateway,
    { ...device, id: 'hidden', address: 'http://127.0.0.1:9/${CELLSIGHT_TEST_PATH}', login: 'token' },
    { ...device, id: 'bare', address: `admin:${secrets.bareAddressPassword}@127.0.0.1:9` },
    { ...onTab, id: 'lock', type: 'vision-system', device: 'talkative' },
    {
      ...onTab,
      id: 'writer',
      type: 'vision-set-parameter',
      name: 'sets the proxy',
      device: 'talkative',
      pipeline: '0',
      pipelineType: 'str',
      node: 'dev_camera',
      nodeType: 'str',
      parameter: `msg.${secrets.written}`,
      parameterType: 'jsonata',
      value: secrets.written,
      valueType: 'str',
    },
  ]
  const bench = useBench(
    { type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' },
    {
      flow,
      credentials: {
        talkative: { user: secrets.user, password: secrets.password },
        tokened: { token: secrets.token },
        hidden: { token: 'begins-${CELLSIGHT_TEST_SECRET}' },
        lock: { hash: secrets.lockHash },
      },
    },
  )
  const admin = useAdmin()
  let server: MisbehavingServer
  let text: string

  before(async () => {
    process.env['CELLSIGHT_TEST_SECRET'] = secrets.environment
    process.env['CELLSIGHT_TEST_PATH'] = secrets.inEnvironmentAddress
    server = await startMisbehavingServer()
    server.behave((response, request) => {
      const answer = answers[request.url.replace('/api/v2', '').replace(/\?.*/, '')]
      ;(answer === undefined ? json({ message: secrets.password }, 404) : json(answer))(response, request)
    })
    talkative.address = server.url
    const { host } = new URL(await closedAddress())
    gateway.address = `http://${secrets.addressUser}:${secrets.addressPassword}@${host}/cell?key=${secrets.query}`
    await bench.deploy()
    await bench.state('ready')
    const { status, body } = await admin.get('vision-devices/diagnostics')
    status.should.equal(200)
    text = JSON.stringify(body)
  })
  after(async () => {
    delete process.env['CELLSIGHT_TEST_SECRET']
    delete process.env['CELLSIGHT_TEST_PATH']
    await server.stop()
  })

  const deviceOf = (id: string) =>
    (JSON.parse(text) as { devices: { id: string }[] }).devices.find((one) => one.id === id)

  for (const [where, secret] of Object.entries({ ...secrets, hash, licenceKey }))
    it(`does not hold the secret in ${where}`, () => {
      text.includes(secret).should.be.false()
      text.includes(encodeURIComponent(secret)).should.be.false()
    })

  it('holds no secret in another form', () => {
    ;/pl4nted/i.test(text).should.be.false()
    text.includes(Buffer.from(`${secrets.user}:${secrets.password}`).toString('base64')).should.be.false()
  })

  it('reports the versions of package, Node-RED and Node.js', () => {
    should(JSON.parse(text)).match({
      made: /^\d{4}-\d\d-\d\dT/,
      versions: { package: /^\d+\./, nodeRed: /^\d+\./, node: process.versions.node },
    })
  })

  it('contains everything about a device that helps', () => {
    should(deviceOf('device')).match({
      address: bench.device.url,
      state: 'ready',
      system: { serial: /\d+/, firmware: {}, ready: true },
      pipelines: { '0': { type: 'stereo_a' } },
      streams: (streams: { name: string }[]) => streams.map(({ name }) => name).should.containEql('pose'),
      unanswered: [],
      uses: [{ id: 'test', type: 'vision-get-parameter', names: { node: 'dev_camera', parameter: 'fps' } }],
    })
    const { nodes, logs } = deviceOf('device') as unknown as { nodes: { name: string }[]; logs: object[] }
    should(nodes.find(({ name }) => name === 'dev_camera')).match({
      pipeline: '0',
      status: 'running',
      parameters: (parameters: object[]) =>
        parameters.some((one) => 'name' in one && one.name === 'fps' && 'value' in one && one.value === 25),
    })
    nodes.some(({ name }) => name === 'dev_gripper_db').should.be.true()
    should(logs[0]).match({ name: /\w/, log: (lines: object[]) => lines.length > 0 })
  })

  it('keeps the harmless parts of lines and values that contain a secret', () => {
    text.includes('PUT /ui_lock?hash=***').should.be.true()
    text.includes('fps set to 25').should.be.true()
    text.includes('https://***@proxy/file').should.be.true()
    text.includes('"temperature":"41"').should.be.true()
  })

  it('lists what flows use by fixed names, but not what they write', () => {
    should(deviceOf('talkative')).match({
      uses: [
        { id: 'lock', type: 'vision-system' },
        { id: 'writer', name: 'sets the proxy', names: { pipeline: '0', node: 'dev_camera' } },
      ],
    })
  })

  it('reports why a device does not answer, and asks it only once', () => {
    const { unanswered } = deviceOf('gateway') as unknown as { unanswered: object[] }
    should(unanswered).match([{ operation: 'getSystem', code: /UNREACHABLE|INVALID_INPUT/ }])
    should(deviceOf('hidden')).match({ address: 'http://127.0.0.1:9/${CELLSIGHT_TEST_PATH}' })
  })
})
