import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { startDemo, type Demo } from '../support/demo'
import { eventually } from '../support/eventually'
import { exampleNodes } from '../support/example'
import { connectPlc, type Plc } from '../support/plc'
import { root } from '../support/root'
import { runRecordedProgram } from '../support/recorded-plc-program'

const allIsWell = { offline: false, latency_ms: 0, image_stream: 'ok', drop_answers: 0 }

describe('the first acquisition', () => {
  let demo: Demo
  let plc: Plc

  before(async () => {
    demo = await startDemo()
    plc = await connectPlc(demo.ports.PLC_PORT)
    await plc.takeOver()
  })

  afterEach(async () => {
    await scenario(allIsWell)
  })

  after(async () => {
    await plc.close()
    should(await demo.stop()).equal(0)
  })

  /** The scenario is set directly on the device, unknown to the cell. */
  const scenario = (part: object) => put('/virtual/scenario', part)
  const acquisitionMode = (value: string) =>
    put('/api/v2/pipelines/0/nodes/dev_stereomatching/parameters/acquisition_mode', { value })
  const quality = (value: string) =>
    put('/api/v2/pipelines/0/nodes/dev_stereomatching/parameters/quality', { value })
  const triggerDirectly = () =>
    put('/api/v2/pipelines/0/nodes/dev_stereomatching/services/acquisition_trigger', {})

  async function put(path: string, body: object) {
    const answer = await fetch(demo.device + path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }

  /** Every failure ends with its own code and the error bit, and the next acquisition works. */
  async function recovers() {
    const { counter } = await plc.until(({ ready }) => ready)
    const answer = await plc.acquire()
    answer.should.containEql({ done: true, error: false, code: 0, counter: counter + 1 })
  }

  it('goes from trigger over busy to done, with counter and duration, and back to ready', async () => {
    const before = await plc.until(({ ready }) => ready)
    before.should.containEql({ busy: false, done: false, error: false })

    await plc.trigger(true)
    const busy = await plc.until((state) => state.busy)
    busy.should.containEql({ ready: false, done: false, error: false, counter: before.counter })

    const done = await plc.until((state) => state.done)
    done.should.containEql({ ready: false, busy: false, error: false, code: 0, counter: before.counter + 1 })
    done.duration.should.be.within(333, 5000)

    await plc.trigger(false)
    const after = await plc.until(({ ready }) => ready)
    after.should.containEql({ busy: false, done: false, error: false, code: 0, counter: done.counter })
  })

  it('waits one depth period of the selected quality', async () => {
    await quality('Full')
    ;(await plc.acquire()).duration.should.be.within(1000, 5000)
    await quality('Low')
    ;(await plc.acquire()).duration.should.be.within(40, 5000)
    await quality('High')
  })

  it('acquires once per rising edge, however long the trigger stays set', async () => {
    const { counter, life } = await plc.until(({ ready }) => ready)
    await plc.trigger(true)
    await plc.until(({ done }) => done)
    // Two seconds pass with the trigger still set.
    const later = await plc.until((state) => state.life > life + 2)
    later.should.containEql({ done: true, counter: counter + 1 })
    await plc.trigger(false)
  })

  it('keeps done for a PLC that only pulses its trigger', async () => {
    const { counter } = await plc.until(({ ready }) => ready)
    await plc.trigger(true)
    await plc.until(({ busy }) => busy)
    await plc.trigger(false)
    const answer = await plc.until(({ done, ready }) => done && ready)
    answer.should.containEql({ code: 0, counter: counter + 1 })
    await recovers()
  })

  it('takes a picture for each trigger, and proves it', async () => {
    const before = demo.output().length
    await plc.acquire()
    await eventually(
      () =>
        void demo
          .output()
          .slice(before)
          .should.match(/result 0 \(done\)/),
    )
  })

  it('takes single frames of a device that somebody has set to Continuous', async () => {
    await acquisitionMode('Continuous')
    await recovers()
  })

  it('reports a trigger that is ignored because another is pending as 101', async () => {
    await quality('Full')
    await plc.until(({ ready }) => ready)
    await triggerDirectly()
    const answer = await plc.acquire()
    answer.should.containEql({ done: false, error: true, code: 101 })
    await quality('High')
    // The other trigger stays pending for up to a second.
    await eventually(recovers)
  })

  it('reports images that cannot be received as 201, and acquires nothing', async () => {
    await scenario({ image_stream: 'closed' })
    // A picture that is under way at this moment is of unknown outcome.
    const answer = await eventually(async () => {
      const now = await plc.acquire()
      now.should.containEql({ done: false, error: true, code: 201 })
      return now
    })
    answer.counter.should.equal((await plc.state()).counter)
    await scenario({ image_stream: 'ok' })
    await eventually(recovers)
  })

  it('reports a missing device as 201, and is not ready even without a trigger', async () => {
    await scenario({ offline: true })
    const answer = await plc.acquire()
    answer.should.containEql({ done: false, error: true, code: 201 })
    await plc.until(({ ready }) => !ready)
    await scenario({ offline: false })
    await recovers()
  })

  it('acquires single frames again after the device was switched off and on', async () => {
    await demo.press('virtual-stop')
    const answer = await plc.acquire()
    answer.should.containEql({ done: false, error: true, code: 201 })
    await demo.press('virtual-start')
    await recovers()
  })

  it('reports an answer that takes too long as 202', async () => {
    // Each call is in time, but all of them together are not.
    await scenario({ latency_ms: 3000 })
    const answer = await plc.acquire()
    answer.should.containEql({ done: false, error: true, code: 202 })
    answer.duration.should.be.within(4900, 15_000)
    await scenario({ latency_ms: 0 })
    await recovers()
  })

  it('reports a lost answer as 203', async () => {
    // The reads before the trigger are repeated, the trigger is not: at some point it is the one that is lost.
    await scenario({ drop_answers: 0.5 })
    await eventually(async () => {
      const answer = await plc.acquire()
      answer.should.containEql({ done: false, error: true, code: 203 })
    })
    await scenario({ drop_answers: 0 })
    await eventually(recovers)
  })

  it('prints a line for each acquisition', () => {
    const lines = demo.output()
    lines.should.match(/acquisition 1: result 0 \(done\), \d+ ms/)
    lines.should.match(/acquisition \d+ failed: result 201 \(device not reachable\), \d+ ms/)
  })

  it('does for the PLC program of release 0.1 what the flow of that release does', async () => {
    const home = await mkdtemp(join(tmpdir(), 'cellsight-'))
    await copyFile(join(root, 'test', 'fixtures', 'first-acquisition-0.1.json'), join(home, 'flows.json'))
    const release = await startDemo({ home })
    try {
      // That flow says ready before it has read the trigger once, and calls one that is set by then 205.
      const first = await connectPlc(release.ports.PLC_PORT)
      await first.takeOver()
      await first.acquire()
      await first.close()
      await Promise.all([release, demo].map(({ ports }) => runRecordedProgram(ports.PLC_PORT)))
    } finally {
      await release.stop()
      await rm(home, { recursive: true, force: true })
    }
  })

  it('triggers by itself every few seconds', async () => {
    const { counter } = await plc.until(({ ready }) => ready)
    await plc.byHand(false)
    await plc.until((state) => state.counter > counter)
    await plc.byHand(true)
  })

  it('has at most ten nodes, none of another package, no function and no expression in them', () => {
    const nodes = exampleNodes('first-acquisition').filter(
      ({ x, type }) => x !== undefined && type !== 'comment' && type !== 'group',
    )
    nodes.length.should.be.belowOrEqual(10)
    for (const { type } of nodes) type.should.match(/^(vision-|inject$|debug$)/)
    // Nor among its configuration nodes and variables.
    should(JSON.stringify(exampleNodes('first-acquisition'))).not.match(/jsonata/i)
  })
})
