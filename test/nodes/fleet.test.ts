import { connect } from 'mqtt'
import should from 'should'
import { MqttCell } from '../../bench/support/mqtt-cell'
import type { DeviceGroup, DeviceRow, FleetSummary, MemberRow, RolloutProgress } from '../../lib/fleet/centre'
import type { Command } from '../../lib/fleet/messages'
import { startCentreNodeRed, type CentreNodeRed } from '../support/centre'
import { eventually } from '../support/eventually'
import { newBroker, type TestBroker } from '../support/mosquitto'

type Report = RolloutProgress & { devices: MemberRow[] }

describe('fleet, with a real broker and cells that have our agent', () => {
  let broker: TestBroker
  let centre: CentreNodeRed
  const cells: MqttCell[] = []
  const commands: Command[] = []

  const startCell = async (plant: string, cell: string) => {
    const started = new MqttCell({
      ...{ root: 'vision', plant, cell, port: broker.port, every: 20, devices: ['left', 'right'] },
      execute: (command) => {
        commands.push(command)
        const isOdd = command.args['parameters'] === 'odd' && cell === 'cell-1'
        return Promise.resolve(
          isOdd
            ? { state: 'failed', code: 'BAD_REQUEST', text: 'No such parameter.' }
            : { state: 'done', result: { by: cell } },
        )
      },
    })
    cells.push(started)
    await started.start()
    return started
  }
  const list = async (payload?: unknown) => (await centre.order('list', payload)) as DeviceRow[]
  const reportOf = async (id: string) => (await centre.order('report', undefined, { rollout: id })) as Report
  const begin = async (order: object) => ((await centre.order('rollout', order)) as RolloutProgress).id
  const ended = (id: string) =>
    eventually(async () => {
      const report = await reportOf(id)
      should(report.state).equal('ended')
      return report
    })
  const acts = (one = centre) =>
    eventually(async () =>
      should(((await one.summary()) as FleetSummary | undefined)?.centre.role).equal('acting'),
    )

  before(async () => {
    broker = await newBroker(undefined, { persistent: false })
    await broker.start()
    for (const cell of ['cell-1', 'cell-2', 'cell-3']) await startCell('north', cell)
    centre = await startCentreNodeRed(broker.port, {
      fields: { labels: '{"pilot": ["north/cell-2"]}', updateEvery: 1 },
    })
    await eventually(async () => should(await list()).have.length(6))
    await acts()
  })
  after(async () => {
    await centre.red.stop()
    for (const cell of cells) await cell.close()
    await broker.stop()
  })

  it('knows all devices from what the broker has kept, finds them, and groups them', async () => {
    should((await list('CELL-3')).map(({ address }) => address)).deepEqual([
      'north/cell-3/left',
      'north/cell-3/right',
    ])
    should(await list({ label: 'pilot', device: 'left' })).match([
      { address: 'north/cell-2/left', seen: true },
    ])
    const groups = (await centre.order('groups', 'cell')) as DeviceGroup[]
    should(groups.map(({ group, devices }) => [group, devices])).deepEqual([
      ['north/cell-1', 2],
      ['north/cell-2', 2],
      ['north/cell-3', 2],
    ])
    await centre.order('list', { plants: 'north' }).should.be.rejectedWith({ code: 'INVALID_INPUT' })
    await centre
      .order('groups', 'colour')
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /colour/ })
  })

  it('tells which devices differ from one that is as all should be', async () => {
    const [, second] = cells
    const device = second?.devices[0]
    should.exist(device)
    Object.assign(device ?? {}, { firmware: 'v1.0.0', fingerprint: 'f'.repeat(64) })
    second?.publish()
    await eventually(async () => {
      const differing = await centre.order('differences', 'north/cell-1/left')
      should(differing).match([{ address: 'north/cell-2/left', differs: ['firmware', 'settings'] }])
    })
    await centre.order('differences', 'north/cell-9/left').should.be.rejectedWith({ code: 'NOT_FOUND' })
  })

  it('shows a cell whose connection is lost, and one that is back', async () => {
    const lost = await startCell('south', 'cell-1')
    await eventually(async () => should(await list({ plant: 'south' })).have.length(2))
    lost.cut()
    await eventually(async () =>
      should(await list({ plant: 'south' })).match([{ problems: ['gone'] }, { seen: false, severity: 2 }]),
    )
    const { cells: counts, problems } = await eventually(async () => {
      const summary = (await centre.summary()) as FleetSummary
      should(summary.cells.notSeen).equal(1)
      return summary
    })
    should(counts.all).equal(4)
    should(problems).match([
      { address: 'south/cell-1/left', text: 'cell not connected' },
      { address: 'south/cell-1/right', text: 'cell not connected' },
    ])
    lost.heal()
    await eventually(async () => should(await list({ plant: 'south', problem: true })).be.empty())
  })

  it('forgets a cell that is not there any more, here and at the broker, and not one that reports', async () => {
    const metrics = async () => (await fetch(`${centre.red.url}/vision-devices/metrics`)).text()
    const removed = await startCell('west', 'cell-9')
    await eventually(async () => should(await list({ plant: 'west' })).have.length(2))
    await centre
      .order('forget', 'west/cell-9')
      .should.be.rejectedWith({ code: 'REFUSED', message: /still reports/ })
    removed.cut()
    await eventually(async () => {
      should(await list({ plant: 'west' })).match([{ link: 'unknown' }, { link: 'unknown' }])
      should(await metrics()).match(/vision_fleet_cells\{centre="[^"]+",seen="no"\} 1\n/)
    })
    for (const wrong of ['west', 'west/cell-9/left', 7, undefined])
      await centre.order('forget', wrong).should.be.rejectedWith({ code: 'INVALID_INPUT' })
    await centre
      .order('move', { from: 'west/cell-9', to: 'west/nowhere' })
      .should.be.rejectedWith({ code: 'NOT_FOUND' })
    should(await centre.order('forget', 'west/cell-9')).deepEqual({ cell: 'west/cell-9' })
    should(await list({ plant: 'west' })).be.empty()
    const client = connect({ host: '127.0.0.1', port: broker.port, protocolVersion: 5 })
    // An empty message deletes what the broker keeps.
    const kept = new Set<string>()
    client.on('message', (topic, payload) => (payload.length ? kept.add(topic) : kept.delete(topic)))
    await client.subscribeAsync('vision/+/+/state')
    await eventually(() => {
      should(kept.size).be.above(2)
      should([...kept]).not.containEql('vision/west/cell-9/state')
    })
    await client.endAsync(true)
    await eventually(async () =>
      should(await metrics()).match(/vision_fleet_cells\{centre="[^"]+",seen="no"\} 0\n/),
    )
  })

  it('rolls parameters out in waves after the first one is approved, each device once', async () => {
    commands.length = 0
    const id = await begin({
      do: 'set-parameters',
      args: { parameters: { dev_camera: { fps: 10 } } },
      where: { plant: 'north' },
      wave: 2,
    })
    await eventually(async () => should(await reportOf(id)).match({ state: 'waits-for-approval', done: 1 }))
    should(commands).have.length(1)
    await centre.order('approve', undefined, { rollout: id })
    const report = await ended(id)
    should(report).match({ done: 6, failed: 0, percent: 100, waves: 4, stopped: '' })
    should(report.devices.every(({ state, result }) => state === 'done' && result !== undefined)).be.true()
    should(new Set(commands.map(({ device, id: job }) => `${job} ${device}`)).size).equal(6)
    should(commands.map(({ do: kind }) => kind)).matchEach('set-parameters')
    await centre.order('approve', undefined, { rollout: id }).should.be.rejectedWith({ code: 'REFUSED' })
  })

  it('begins no further device after too many failures, and says so', async () => {
    const id = await begin({
      ...{ do: 'set-parameters', args: { parameters: 'odd' }, where: { plant: 'north' } },
      ...{ canary: 0, wave: 1, approval: 'none' },
    })
    const report = await ended(id)
    should(report).match({
      ...{ done: 0, failed: 1, skipped: 5, stopped: 'failures' },
      text: 'ended: 0 done, 1 failed, 0 unknown, 0 not reached, 5 skipped',
    })
    should(report.devices[0]).match({
      ...{ address: 'north/cell-1/left', state: 'failed', code: 'BAD_REQUEST', text: 'No such parameter.' },
    })
  })

  it('pauses, goes on, and stops', async () => {
    const order = { do: 'backup', where: { plant: 'north' }, canary: 1, wave: 1, approval: 'canary' }
    const id = await begin(order)
    await eventually(async () => should(await reportOf(id)).match({ state: 'waits-for-approval' }))
    await centre.order('pause')
    await centre.order('approve')
    should(await reportOf(id)).match({ state: 'paused', done: 1, working: 0 })
    await centre.order('rollout', order).should.be.rejectedWith({ code: 'BUSY', message: /north\/cell/ })
    await centre.order('resume')
    should(await ended(id)).match({ done: 6 })
    const other = await begin(order)
    await eventually(async () => should(await reportOf(other)).match({ state: 'waits-for-approval' }))
    await centre.order('stop')
    should(await ended(other)).match({ done: 1, skipped: 5, stopped: 'asked' })
  })

  it('asks one cell, and hands its answer or its refusal to the flow', async () => {
    should(await centre.order('ask', { to: 'north/cell-2/left', do: 'read-parameters' })).deepEqual({
      by: 'cell-2',
    })
    await centre
      .order('ask', { to: 'north/cell-1/left', do: 'set-parameters', args: { parameters: 'odd' } })
      .should.be.rejectedWith({ code: 'REFUSED', message: /No such parameter/ })
    await centre
      .order('ask', { to: 'north/cell-2/middle', do: 'backup' })
      .should.be.rejectedWith({ code: 'NOT_FOUND', message: /middle/ })
    await centre.order('dance').should.be.rejectedWith({ code: 'INVALID_INPUT', message: /dance/ })
  })

  it('passes on events once, and ends their repetition', async () => {
    const [cell] = cells
    cell?.report('alarm', 'Too warm.')
    await eventually(async () => should(await centre.event()).match({ event: 'alarm', text: 'Too warm.' }))
    await eventually(() => should(cell?.pending).equal(0))
  })

  it('survives what others publish on its topics', async () => {
    const client = connect(`mqtt://127.0.0.1:${broker.port}`, { protocolVersion: 5 })
    const publish = (topic: string, payload: string) => client.publishAsync(topic, payload, { qos: 1 })
    await publish('vision/north/cell-1/state', 'x')
    await publish('vision/north/cell-1/state', JSON.stringify({ v: 1, plant: 'north', cell: 'cell-2' }))
    await publish('vision/north/cell-1/answer', '['.repeat(100_000))
    await publish('vision/centre', JSON.stringify({ v: 1, centre: 5 }))
    await client.endAsync()
    should(await list({ plant: 'north' })).have.length(6)
  })

  it('goes on after the broker was killed, and after Node-RED was killed in a wave', async () => {
    commands.length = 0
    const order = { do: 'backup', where: { plant: 'north' }, canary: 1, wave: 2, approval: 'canary' }
    const id = await begin(order)
    await eventually(async () => should(await reportOf(id)).match({ state: 'waits-for-approval' }))
    await broker.kill()
    await centre.red.kill()
    await broker.start()
    const { userDir } = centre.red
    centre = await startCentreNodeRed(broker.port, { userDir })
    await eventually(async () => should(await list({ plant: 'north' })).have.length(6))
    // The last answer may not have been in the journal: then the cell is asked again.
    await eventually(async () => should(await reportOf(id)).match({ state: 'waits-for-approval' }))
    await centre.order('approve', undefined, { rollout: id })
    should(await ended(id)).match({ done: 6, unknown: 0 })
    should(new Set(commands.map(({ id: job }) => job)).size).equal(commands.length)
    should(commands).have.length(6)
  })

  it('lets a second centre only read, until the first has been silent', async () => {
    await acts()
    const second = await startCentreNodeRed(broker.port, { centre: 'centre-2', fields: { updateEvery: 1 } })
    try {
      await eventually(async () =>
        should(await second.summary()).match({
          centre: { role: 'reading', acting: 'centre-1' },
          cells: { all: 4 },
        }),
      )
      await second
        .order('rollout', { do: 'backup', where: {} })
        .should.be.rejectedWith({ code: 'REFUSED', message: /centre-1/ })
      await centre.red.kill()
      await acts(second)
      const { id } = (await second.order('rollout', {
        ...{ do: 'backup', where: { plant: 'north' }, approval: 'none' },
      })) as RolloutProgress
      await eventually(async () =>
        should(await second.order('report', undefined, { rollout: id })).match({ state: 'ended', done: 6 }),
      )
    } finally {
      await second.red.stop()
    }
  })
})
