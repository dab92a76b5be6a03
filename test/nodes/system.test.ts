import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NodeMessage } from 'node-red'
import should from 'should'
import { actions, mustBeConfirmed, deviceTime } from '../../nodes/system/actions'
import { actionNames } from '../../nodes/system/fields'
import { onTab, useBench } from '../support/bench'

const fields = { type: 'vision-system' }
const quick = { scenario: { boot_seconds: 1, boot_502_seconds: 0.3 } }

describe('system with the action in the message', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-licence-'))
  after(() => rmSync(folder, { recursive: true }))
  const bench = useBench({ ...fields, action: 'message', folders: `uploads, ${folder}` })
  const asked = async (action: string, more: NodeMessage = {}): Promise<unknown> =>
    (await bench.send({ action, ...more })).payload

  it('reads the state of the device', async () => {
    should(await asked('info')).have.properties('serial', 'uptime', 'firmware')
  })

  it('keeps the message and reports what was done', async () => {
    const message = await bench.send({ action: ' getTime ', topic: 'cell 1' })
    should(message).match({ topic: 'cell 1', action: 'getTime', payload: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/ })
  })

  it('sets the time, by default to now', async () => {
    should(await asked('setTime', { payload: '2030-01-02 03:04:05' })).match(/^2030-01-02 03:04:0/)
    should(await asked('setTime')).match(new RegExp(`^${new Date().getUTCFullYear()}`))
    await asked('setTime', { payload: 'tomorrow' }).should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /"tomorrow" is not a valid time/,
    })
    bench.device.setScenario({ ntp_synchronized: true })
    await asked('setTime').should.be.rejectedWith({ code: 'FORBIDDEN' })
  })

  it('sets and reads time servers and name servers', async () => {
    should(await asked('setNtp', { payload: 'ntp.plant, 10.0.0.1' })).match({
      manual_ntp_servers: ['ntp.plant', '10.0.0.1'],
    })
    should(await asked('getNtp')).match({ manual_ntp_servers: ['ntp.plant', '10.0.0.1'] })
    should(await asked('setDns', { payload: ['10.0.0.2'] })).match({ manual_dns_servers: ['10.0.0.2'] })
    should(await asked('setDns', { payload: '' })).match({ manual_dns_servers: [] })
    should(await asked('getDns')).match({ manual_dns_servers: [] })
    for (const payload of [5, { a: 1 }, [1]])
      await asked('setDns', { payload }).should.be.rejectedWith({ code: 'INVALID_INPUT' })
    await asked('setDns', { payload: 'nowhere' }).should.be.rejectedWith({ code: 'BAD_REQUEST' })
  })

  it('reads network and licence', async () => {
    should(await asked('getNetwork')).have.properties('ip_address', 'settings')
    should(await asked('getLicense')).match({ valid: true })
  })

  it('uploads a licence from a file or as content', async () => {
    const licence = JSON.stringify({ license: 'virtual-vision-device', components: { stereo: true } })
    await asked('uploadLicense', { payload: Buffer.from(licence) })
    const payload = join(folder, 'licence.json')
    writeFileSync(payload, licence)
    await asked('uploadLicense', { payload })
    writeFileSync(payload, 'none')
    await asked('uploadLicense', { payload }).should.be.rejectedWith({ code: 'BAD_REQUEST' })
    await asked('uploadLicense', { payload: __filename }).should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /is not allowed.*uploads/,
    })
    await asked('uploadLicense').should.be.rejectedWith({ code: 'INVALID_INPUT', message: /value is empty/ })
  })

  it('distinguishes a right hash from a wrong one', async () => {
    should(await asked('getUiLock')).eql({ enabled: false })
    should(await asked('checkUiLock', { hash: 'abc' })).eql({ enabled: false, valid: false })
    await asked('checkUiLock').should.be.rejectedWith({ code: 'INVALID_INPUT', message: /hash is empty/ })
  })

  it('lists the available actions', () =>
    asked('explode').should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /no action explode.*info, reboot, getTime/,
    }))

  it('executes nothing that can disconnect the device until confirmed', async () => {
    const dangerous = actionNames.filter(mustBeConfirmed)
    dangerous.should.eql(['reboot', 'setNetwork', 'setUiLock', 'removeUiLock'])
    const before = bench.device.calls().length
    for (const action of dangerous)
      await asked(action, { hash: 'abc', payload: {} }).should.be.rejectedWith({
        code: 'INVALID_INPUT',
        message: /not confirmed/,
      })
    const since = bench.device.calls().slice(before)
    since
      .map(({ operation }) => operation)
      .filter((operation) => operation !== 'getSystem')
      .should.eql([])
  })

  it('has an action for each name', () => Object.keys(actions).should.eql([...actionNames]))
})

describe('system with the action in the message, confirmed', () => {
  const bench = useBench({ ...fields, action: 'message', confirmed: true })
  const asked = async (action: string, more: NodeMessage = {}): Promise<unknown> =>
    (await bench.send({ action, ...more })).payload

  it('changes only the network settings in the message', async () => {
    const before = await asked('setNetwork', { payload: {} })
    const after = await asked('setNetwork', { payload: { persistent_ip_address: '10.0.0.7' } })
    should(after).eql({ ...(before as object), persistent_ip_address: '10.0.0.7' })
    await asked('setNetwork', { payload: 'dhcp' }).should.be.rejectedWith({ code: 'INVALID_INPUT' })
    await asked('setNetwork', { payload: { persistent_subnet_mask: '1.2.3.4' } }).should.be.rejectedWith({
      code: 'BAD_REQUEST',
    })
    bench.device.setScenario({ genicam_connected: true })
    await asked('setNetwork', { payload: {} }).should.be.rejectedWith({ code: 'FORBIDDEN' })
  })

  it('locks and unlocks the web page', async () => {
    should(await asked('setUiLock', { hash: 'abc' })).eql({ enabled: true, valid: true })
    should(await asked('checkUiLock', { hash: 'xyz' })).eql({ enabled: true, valid: false })
    should(await asked('removeUiLock')).eql({ enabled: false, valid: false })
  })

  it('shows the hash in no error', async () => {
    bench.device.setScenario({ offline: true })
    const error = await bench
      .send({ action: 'setUiLock', hash: 'very-secret' })
      .catch((problem: unknown) => problem)
    should(error).be.an.Error()
    JSON.stringify([error, (error as Error).message]).should.not.match(/very-secret/)
  })
})

describe('system with a hash of its own', () => {
  const bench = useBench({ ...fields, action: 'checkUiLock' }, { credentials: { test: { hash: 'kept' } } })

  it('needs none in the message', async () => {
    should((await bench.send()).payload).eql({ enabled: false, valid: false })
  })
})

describe('system sets a fixed address', () => {
  const bench = useBench({
    ...fields,
    action: 'setNetwork',
    network: 'fixed',
    ip: 'where',
    ipType: 'msg',
    confirmed: true,
  })

  it('from the fields of the dialog, and returns to DHCP', async () => {
    should((await bench.send({ where: '10.0.0.9' })).payload).match({
      persistent_ip_enabled: true,
      persistent_ip_address: '10.0.0.9',
      persistent_subnet_mask: '255.255.255.0',
      persistent_default_gateway: '',
    })
    await bench.send().should.be.rejectedWith({ code: 'INVALID_INPUT', message: /ip is empty/ })
    await bench.deploy({ network: 'dhcp' })
    should((await bench.send()).payload).match({ dhcp_enabled: true, persistent_ip_enabled: false })
  })
})

describe('system restarts the device', () => {
  const bench = useBench(
    { ...fields, action: 'reboot', confirmed: true, wires: [['out0'], ['steps']] },
    { device: quick, flow: [{ ...onTab, id: 'steps', type: 'helper', wires: [] }] },
  )

  before(() => bench.runsFor(0.3))

  it('once, reports each step, and ends when it is ready', async () => {
    const steps: unknown[] = []
    bench.helperNode('steps').on('input', ({ payload }) => steps.push(payload))
    const message = await bench.send({ topic: 'night' })
    should(message).match({ topic: 'night', payload: { ready: true } })
    const phases = steps.map((step) => (step as { phase: string }).phase)
    // A quick start can end between two checks.
    phases.should.eql(['asked', 'away', 'starting', 'ready'].filter((phase) => phases.includes(phase)))
    phases.should.containDeep(['asked', 'ready'])
    bench.statuses.some(({ text }) => text?.endsWith('rebooting')).should.be.true()
    bench.device
      .calls()
      .filter(({ operation }) => operation === 'reboot')
      .length.should.equal(1)
  })

  it('reports if it is not ready in time', async () => {
    bench.device.setScenario({ boot_seconds: 3 })
    await bench.deploy({ readyWithin: 1 })
    await bench.send().should.be.rejectedWith({ code: 'TIMEOUT', message: /not ready after 1 s/ })
  })
})

describe('a time for the device', () => {
  it('accepts the formats of flows', () => {
    deviceTime('2026-11-21 21:00:00').should.equal('2026-11-21 21:00:00')
    deviceTime('2026-11-21T21:00:00Z').should.equal('2026-11-21 21:00:00')
    deviceTime('2026-11-21T21:00:00+02:00').should.equal('2026-11-21 19:00:00')
    deviceTime(0).should.equal('1970-01-01 00:00:00')
    deviceTime(new Date(1000)).should.equal('1970-01-01 00:00:01')
  })

  it('is refused if invalid', () => {
    for (const given of [NaN, 'soon', true, {}, new Date(NaN)])
      should(() => deviceTime(given)).throw({ code: 'INVALID_INPUT' })
  })
})
