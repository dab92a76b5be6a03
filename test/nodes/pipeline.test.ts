import should from 'should'
import { onTab, useBench } from '../support/bench'

const fields = { type: 'vision-pipeline' }
const multi = { variant: 'multi', scenario: { boot_seconds: 0.8, boot_502_seconds: 0.1 } } as const
const rebooted = (bench: ReturnType<typeof useBench>) =>
  bench.device.calls().filter(({ operation }) => operation === 'reboot').length

describe('pipeline', () => {
  const bench = useBench({ ...fields }, { device: multi })

  it('lists the configured and the running pipelines', async () => {
    const message = await bench.send({ topic: 'cell 1' })
    should(message).match({
      topic: 'cell 1',
      payload: [
        { pipeline: '0', kind: 'stereo_a', runs: 'stereo_a', status: 'running' },
        { pipeline: '1', kind: 'stereo_a', runs: 'stereo_a', status: 'running' },
      ],
      configuration: { max_pipelines: 4, pending_changes: false },
    })
    should(message).not.have.property('restarted')
  })

  it('configures a pipeline for the next restart', async () => {
    await bench.deploy({ action: 'configure', kind: 'kind', kindType: 'msg' })
    const message = await bench.send({ pipeline: 2, kind: 'time_of_flight' })
    should(message).match({ restarted: false, configuration: { pending_changes: true } })
    should(message.payload).containEql({ pipeline: '2', kind: 'time_of_flight', runs: null, status: null })
  })

  it('reports impossible requests', async () => {
    await bench.send({ pipeline: '2', kind: 'x-ray' }).should.be.rejectedWith({ code: 'BAD_REQUEST' })
    await bench
      .send({ pipeline: '2' })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /kind is empty/ })
    for (const pipeline of ['4', 'left', '-1'])
      await bench
        .send({ pipeline, kind: 'stereo_a' })
        .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /there is no pipeline .*from 0 to 3/ })
  })

  it('deletes a pipeline for the next restart', async () => {
    await bench.deploy({ action: 'delete' })
    await bench
      .send({ pipeline: '1' })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /delete.*not confirmed/ })
    await bench.deploy({ confirmed: true })
    const { payload } = await bench.send({ pipeline: '1' })
    should(payload).containEql({ pipeline: '1', kind: null, runs: 'stereo_a', status: 'running' })
    await bench.send({ pipeline: '0' }).should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /pipeline 0 cannot be deleted/,
    })
    await bench.send({ pipeline: '3' }).should.be.rejectedWith({ code: 'BAD_REQUEST' })
  })

  it('does not restart or change anything until confirmed', async () => {
    await bench.deploy({ action: 'apply', confirmed: false })
    await bench.send().should.be.rejectedWith({ code: 'INVALID_INPUT', message: /not confirmed/ })
    await bench.deploy({ action: 'delete', restart: 'now' })
    await bench.send({ pipeline: '2' }).should.be.rejectedWith({ code: 'INVALID_INPUT' })
    await bench.deploy({ action: 'list' })
    const { payload } = await bench.send()
    should(payload).match([{ pipeline: '0' }, { pipeline: '1' }, { pipeline: '2', kind: 'time_of_flight' }])
    rebooted(bench).should.equal(0)
  })
})

describe('pipeline applies changes', () => {
  const bench = useBench(
    {
      ...fields,
      action: 'configure',
      kind: 'stereo_c',
      restart: 'now',
      confirmed: true,
      wires: [['out0'], ['steps']],
    },
    { device: multi, flow: [{ ...onTab, id: 'steps', type: 'helper', wires: [] }] },
  )

  before(() => bench.runsFor(0.3))

  it('with a restart, and sends what runs then', async () => {
    const steps: unknown[] = []
    bench.helperNode('steps').on('input', ({ payload }) => steps.push(payload))
    const message = await bench.send({ pipeline: '3' })
    should(message).match({ restarted: true, configuration: { pending_changes: false } })
    should(message.payload).containEql({
      pipeline: '3',
      kind: 'stereo_c',
      runs: 'stereo_c',
      status: 'running',
    })
    should(steps.at(-1)).match({ phase: 'ready' })
    rebooted(bench).should.equal(1)
  })

  it('without a restart if there are none', async () => {
    await bench.deploy({ action: 'apply' })
    should(await bench.send()).match({ restarted: false })
    rebooted(bench).should.equal(1)
  })
})

describe('pipeline on a device with one pipeline', () => {
  const bench = useBench({ ...fields })

  it('lists it', async () => {
    should((await bench.send()).payload).match([{ pipeline: '0', status: 'running' }])
  })

  it('says why there is nothing to change', async () => {
    await bench.deploy({ action: 'configure', kind: 'stereo_a', restart: 'now', confirmed: true })
    await bench.send({ pipeline: '1' }).should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /has one pipeline.*multi-pipeline/s,
    })
    rebooted(bench).should.equal(0)
  })
})
