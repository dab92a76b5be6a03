import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import {
  Centre,
  defaultPace,
  membersOf,
  progressOf,
  rolloutStore,
  summaryOf,
  type Post,
} from '../../lib/fleet/centre'
import type { CentreOptions, RolloutPlan } from '../../lib/fleet/centre'
import type { CellState } from '../../lib/fleet/messages'
import { smallDisk } from '../support/damages'

const state = (cell: string, more: Partial<CellState> = {}): CellState => ({
  ...{ v: 1, plant: 'north', cell, boot: 'b1', n: 1, at: '2026-11-27T00:00:00Z', every: 10, expires: 3600 },
  devices: [{ device: 'left', link: 'ready', fingerprint: null, calibration: null, problems: [] }],
  ...{ flows: [], may: [], working: [] },
  ...more,
})

const folders = mkdtempSync(join(tmpdir(), 'cellsight-centre-'))
after(() => rmSync(folders, { recursive: true, force: true }))

/** A centre whose time is set by the test. */
async function useCentre(options: Partial<CentreOptions> = {}) {
  let [steady, wall] = [1000, Date.parse('2026-11-27T12:00:00Z')]
  const sent: Post[] = []
  const folder = mkdtempSync(join(folders, 'centre-'))
  const open = () =>
    Centre.open({
      ...{ root: 'vision', centre: 'a', answersTo: 'centre' as const, mayOrder: true, pace: defaultPace },
      clock: { steady: () => steady, wall: () => wall },
      store: rolloutStore(folder),
      send: (post) => void sent.push(post),
      ...options,
    })
  const centre = await open()
  const bench = {
    centre,
    sent,
    folder,
    open,
    isConnected: true,
    /** Seconds pass. */
    pass: (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        steady += 1000
        wall += 1000
        const before = sent.length
        bench.centre.tick()
        // While the broker is there, the renewals of its claim come back.
        if (bench.isConnected)
          for (const { topic, payload, retain } of sent.slice(before))
            if (topic === 'vision/centre' && retain)
              bench.centre.receive({ topic, payload: JSON.stringify(payload) })
      }
    },
    hear: (cell: CellState, left?: number) =>
      bench.centre.receive({
        ...{ topic: `vision/${cell.plant}/${cell.cell}/state`, payload: JSON.stringify(cell) },
        ...(left !== undefined && { messageExpiryInterval: left }),
      }),
    /** What it publishes about its claim comes back to it. */
    echo: () => {
      for (const { topic, payload } of sent.splice(0))
        if (topic === 'vision/centre') bench.centre.receive({ topic, payload: JSON.stringify(payload) })
    },
    act: () => {
      bench.pass(1)
      bench.echo()
      bench.pass(3)
      should(bench.centre.role).equal('acting')
    },
    commands: () => sent.filter(({ topic }) => topic.endsWith('/command')),
    written: () => bench.centre.written(),
    rows: () => [...bench.centre.rows()],
  }
  return bench
}

describe('a cell that is not there any more', () => {
  const serial = (number: string) => ({
    devices: state('x').devices.map((device) => ({ ...device, serial: number })),
  })

  it('does not show the link of a time when it was seen', async () => {
    const { hear, pass, rows } = await useCentre()
    hear(state('c1'))
    should(rows()).match([{ link: 'ready' }])
    pass(26)
    should(rows()).match([{ link: 'unknown', seen: false }])
  })

  it('is marked as moved where its serial number is elsewhere, and two that report with one number are marked both', async () => {
    const { hear, pass, rows } = await useCentre()
    hear(state('old', serial('7')))
    pass(30)
    hear(state('new', serial('7')))
    should(rows()).match([
      { cell: 'old', problems: ['moved'], severity: 1, sameSerialAs: 'north/new/left' },
      { cell: 'new', problems: [], severity: 0, sameSerialAs: '' },
    ])
    hear(state('old', { ...serial('7'), n: 2 }))
    should(rows()).match([
      { cell: 'old', problems: ['serial-twice'], severity: 1, sameSerialAs: 'north/new/left' },
      { cell: 'new', problems: ['serial-twice'], severity: 1, sameSerialAs: 'north/old/left' },
    ])
  })

  it('is forgotten by an order, here and at the broker, and what was not begun on it is left out', async () => {
    const { act, centre, hear, pass, rows, sent, written } = await useCentre()
    act()
    hear(state('c1', { every: 3600 }))
    hear(state('c2'))
    pass(30)
    const devices = ['north/c1/left', 'north/c2/left']
    const rollout = await centre.begin({ do: 'backup', devices, canary: 0, wave: 2, approval: 'none' })
    await centre
      .forget({ plant: 'north', cell: 'c1' })
      .should.be.rejectedWith({ code: 'REFUSED', message: /still reports/ })
    await centre.forget({ plant: 'north', cell: 'c3' }).should.be.rejectedWith({ code: 'NOT_FOUND' })
    const c2 = { plant: 'north', cell: 'c2' }
    const abort = new AbortController()
    const given = centre.forget(c2, { signal: abort.signal })
    await centre.forget(c2).should.be.rejectedWith({ code: 'BUSY' })
    abort.abort()
    await given.should.be.rejectedWith({ code: 'ABORTED' })
    const forgotten = centre.forget(c2)
    const deletion = { topic: 'vision/north/c2/state', payload: '' }
    should(sent.filter(({ retain }) => retain).at(-1)).match(deletion)
    await written()
    // Until the broker has deleted it, the cell is still known.
    should(rows().map(({ cell }) => cell)).deepEqual(['c1', 'c2'])
    centre.receive(deletion)
    await forgotten
    should(rows()).match([{ cell: 'c1' }])
    should(membersOf(rollout).find(({ address }) => address === devices[1])).match({
      ...{ state: 'not-reached', code: 'FORGOTTEN' },
    })
    // The cell itself takes its state back when it is renamed or removed.
    hear(state('c4'))
    centre.receive({ topic: 'vision/north/c4/state', payload: '' })
    should(rows().map(({ cell }) => cell)).deepEqual(['c1'])
  })

  it('is moved only to a cell that has one of its devices', async () => {
    const { act, centre, hear, pass, rows } = await useCentre()
    act()
    hear(state('old', serial('7')))
    pass(30)
    hear(state('other', { ...serial('8'), every: 3600 }))
    const old = { plant: 'north', cell: 'old' }
    await centre
      .forget(old, { movedTo: { plant: 'north', cell: 'other' } })
      .should.be.rejectedWith({ code: 'REFUSED', message: /serial numbers/ })
    hear(state('new', { ...serial('7'), every: 3600 }))
    const moved = centre.forget(old, { movedTo: { plant: 'north', cell: 'new' } })
    centre.receive({ topic: 'vision/north/old/state', payload: '' })
    await moved
    should(rows().map(({ cell }) => cell)).deepEqual(['other', 'new'])
  })
})

describe('the picture of a fleet', () => {
  it('takes a cell for not seen after two and a half intervals, whatever its clock says', async () => {
    const { hear, pass, rows } = await useCentre()
    hear(state('c1', { at: '2020-01-01T00:00:00Z' }))
    pass(25)
    should(rows()).match([{ seen: true, severity: 0 }])
    pass(1)
    should(rows()).match([{ seen: false, problems: ['not-seen'], severity: 2 }])
  })

  it('tells the age of a state that the broker has kept by what is left of its expiry', async () => {
    const { hear, rows } = await useCentre()
    hear(state('c1'), 3600 - 20)
    hear(state('c2'), 3600 - 30)
    should(rows()).match([
      { cell: 'c1', seen: true, age: 20 },
      { cell: 'c2', seen: false, age: 30 },
    ])
  })

  it('forgets a cell whose state has expired, and one whose state was deleted', async () => {
    const { hear, pass, rows, centre } = await useCentre()
    hear(state('c1', { expires: 60 }))
    hear(state('c2'))
    pass(61)
    should(rows()).match([{ cell: 'c2' }])
    centre.receive({ topic: 'vision/north/c2/state', payload: Buffer.alloc(0) })
    should(rows()).be.empty()
  })

  it('does not go back to a state that comes late, of the same start or the one before', async () => {
    const { hear, rows } = await useCentre()
    const firmware = (version: string) => [
      {
        device: 'left',
        link: 'ready',
        firmware: version,
        fingerprint: null,
        calibration: null,
        problems: [],
      },
    ]
    hear(state('c1', { n: 1, devices: firmware('v1') }))
    hear(state('c1', { n: 3, devices: firmware('v3') }))
    hear(state('c1', { n: 2, devices: firmware('v2') }))
    should(rows()).match([{ firmware: 'v3' }])
    hear(state('c1', { boot: 'b2', n: 1, devices: firmware('v4') }))
    hear(state('c1', { boot: 'b1', n: 9, devices: firmware('v3') }))
    should(rows()).match([{ firmware: 'v4' }])
  })

  it('lists since when the cells know the calibrations, and how they know', async () => {
    const { hear, rows } = await useCentre()
    const since = '2026-11-20T08:00:00.000Z'
    const own = { link: 'ready', fingerprint: null, problems: [] }
    const devices = [
      { ...own, device: 'left', calibration: { at: null, errorMm: 0.3, since, sinceIs: 'changed' as const } },
      // As a cell of an earlier version tells it.
      { ...own, device: 'right', calibration: { at: null, errorMm: 0.4 } },
    ]
    hear(state('c1', { devices }))
    should(rows()).match([
      { calibratedAt: null, calibrationError: 0.3, calibratedSince: since, calibratedSinceIs: 'changed' },
      { calibratedAt: null, calibrationError: 0.4, calibratedSince: null, calibratedSinceIs: '' },
    ])
  })

  it('refuses a state in the topic of another cell, and keeps within its bounds', async () => {
    const { centre, rows } = await useCentre()
    const heard = centre.receive({ topic: 'vision/north/c2/state', payload: JSON.stringify(state('c1')) })
    should(heard.word).equal('unreadable')
    for (let cell = 0; cell < 90; cell++) {
      const devices = Array.from({ length: 250 }, (_, index) => ({
        ...{ device: `d${index}`, link: 'ready', fingerprint: null, calibration: null, problems: [] },
      }))
      const payload = state(`c${cell}`, { devices })
      centre.receive({ topic: `vision/north/c${cell}/state`, payload })
    }
    should(rows()).have.length(20_000)
    should(centre.refusedStates).equal(10)
  })

  it('draws a map of 400 devices, in all of it those with a problem first, and counts all', async () => {
    const { centre, hear } = await useCentre()
    for (let cell = 0; cell < 5; cell++) {
      const devices = Array.from({ length: 100 }, (_, index) => ({
        ...{ device: `d${index}`, fingerprint: null, calibration: null, problems: [] },
        link: cell === 4 && index === 99 ? 'unreachable' : 'ready',
      }))
      hear(state(`c${cell}`, { devices, plant: cell < 4 ? 'north' : 'south' }))
    }
    const { map } = summaryOf(centre)
    should(map.map(({ plant, devices, problems }) => [plant, devices, problems])).deepEqual([
      ['south', 100, 1],
      ['north', 400, 0],
    ])
    const shown = map.flatMap(({ cells }) => cells.flatMap((cell) => cell.shown))
    should(shown).have.length(400)
    should(shown[0]).match({ device: 'd99', problems: ['not-ready'], severity: 2 })
  })
})

describe('the claim of a centre', () => {
  const claim = (more: object) => ({
    topic: 'vision/centre',
    payload: JSON.stringify({ v: 1, centre: 'b', boot: 'x', since: 1, n: 1, ...more }),
  })

  it('begins only when it has heard itself over the broker', async () => {
    const { centre, pass, echo } = await useCentre()
    pass(60)
    should(centre.role).equal('asking')
    await centre
      .begin({ do: 'backup', where: {} })
      .should.be.rejectedWith({ code: 'REFUSED', key: 'no-broker' })
    echo()
    pass(3)
    should(centre.role).equal('acting')
  })

  it('yields to one that acts, even with a clock an hour behind, and takes over when that is silent', async () => {
    const { centre, pass, echo } = await useCentre()
    pass(1)
    centre.receive(claim({ since: 9e15 }))
    echo()
    pass(20)
    should(centre.role).equal('reading')
    should(centre.actingCentre).equal('b')
    pass(10)
    should(centre.role).equal('asking')
    echo()
    pass(3)
    should(centre.role).equal('acting')
  })

  it('ends while the broker is away, which shows within 15 s, and comes back with it', async () => {
    const bench = await useCentre()
    const { act, centre, pass, echo, hear } = bench
    act()
    hear(state('c1', { every: 3600 }))
    pass(60)
    should(summaryOf(centre).centre).match({ role: 'acting', acting: 'a' })
    bench.isConnected = false
    pass(16)
    should(summaryOf(centre).centre).match({ role: 'asking' })
    await centre.begin({ do: 'backup', where: {} }).should.be.rejectedWith({ key: 'no-broker' })
    bench.isConnected = true
    echo()
    pass(3)
    should(centre.role).equal('acting')
  })

  it('of two that act after a partition, the older one goes on', async () => {
    const one = await useCentre()
    one.act()
    one.centre.receive(claim({ since: 9e15 }))
    should(one.centre.role).equal('acting')
    one.centre.receive(claim({ since: 1 }))
    should(one.centre.role).equal('reading')
  })
})

describe('a rollout', () => {
  const answer = (centre: Centre, post: Post | undefined, more: object, cell = 'c1') =>
    centre.receive({
      topic: 'vision/centre/a/answer',
      payload: JSON.stringify({
        ...{ v: 1, id: post?.correlationData, seq: 1, boot: 'b1', plant: 'north', cell, state: 'done' },
        ...{ at: '2026-11-27T12:00:01Z', ...more },
      }),
    })

  it('begins devices in their window only, and sends no command that may arrive after it', async () => {
    const { act, centre, hear, pass, commands, written } = await useCentre()
    act()
    const order = {
      ...{ do: 'backup', where: {}, canary: 0, wave: 10, approval: 'none', reachWithin: 10_000 },
      window: { from: '14:00', to: '14:01' },
      zones: { north: 'Europe/Berlin', 'north/c2': 'UTC' },
    }
    for (const cell of ['c1', 'c2', 'c3']) hear(state(cell, { every: 10_000, expires: 86_400 }))
    centre.receive({ topic: 'vision/north/c3/gone', payload: 'gone' })
    await centre.begin(order)
    await written()
    should(commands()).be.empty()
    // 14:00 in Berlin is 13:00 UTC.
    pass(3630)
    hear(state('c3', { every: 10_000, expires: 86_400, n: 2 }))
    pass(1)
    await written()
    should(commands()).match([
      { topic: 'vision/north/c1/command', messageExpiryInterval: 60 },
      // Asked again meanwhile; the other cell is seen again in the middle of the minute.
      { topic: 'vision/north/c1/command' },
      { topic: 'vision/north/c1/command' },
      { topic: 'vision/north/c3/command' },
    ])
    should(commands().at(-1)?.messageExpiryInterval).be.within(20, 30)
    should(commands().every(({ topic }) => topic !== 'vision/north/c2/command')).be.true()
  })

  it('asks again with the same id until a cell has accepted, then how it stands', async () => {
    const { act, centre, hear, pass, sent, commands, written } = await useCentre()
    act()
    hear(state('c1', { every: 3600 }))
    const rollout = await centre.begin({ do: 'backup', where: {} })
    pass(30)
    await written()
    const asked = commands()
    should(asked.length).be.above(1)
    should(new Set(asked.map(({ correlationData }) => correlationData)).size).equal(1)
    answer(centre, asked[0], { state: 'accepted' })
    await written()
    sent.length = 0
    pass(200)
    await written()
    should(commands().map(({ payload }) => (payload as { do: string }).do)).matchEach('status')
    answer(centre, commands()[0], { result: { known: true, state: 'working', percent: 40 } })
    should(membersOf(rollout)).match([{ state: 'working', percent: 40 }])
    answer(centre, commands()[1], { result: { known: false } })
    await written()
    should(membersOf(rollout)).match([{ state: 'unknown', code: 'NOT_FOUND' }])
    should(progressOf(rollout)).match({ state: 'ended', unknown: 1 })
    should(sent.some(({ topic }) => topic === 'vision/north/c1/ack')).be.true()
  })

  it('takes an answer that comes after its end, and makes the report true', async () => {
    const { act, centre, hear, pass, commands, written } = await useCentre()
    act()
    hear(state('c1', { every: 86_400 }))
    const rollout = await centre.begin({ do: 'backup', where: {}, answerWithin: 20 })
    await written()
    const [first] = commands()
    pass(21)
    should(progressOf(rollout)).match({ state: 'ended', unknown: 1, done: 0 })
    // Nobody may answer in the name of another cell.
    answer(centre, first, {}, 'c2')
    should(progressOf(rollout)).match({ unknown: 1 })
    answer(centre, first, { result: { file: 'x' } })
    should(progressOf(rollout)).match({ unknown: 0, done: 1 })
  })

  it('waits for a cell that is not seen, then reports it as not reached', async () => {
    const { act, centre, hear, pass, commands, written } = await useCentre()
    act()
    hear(state('c1'))
    pass(30)
    const rollout = await centre.begin({ do: 'backup', where: {}, reachWithin: 60 })
    pass(59)
    await written()
    should(progressOf(rollout)).match({ state: 'running', notReached: 0 })
    pass(2)
    await written()
    should(progressOf(rollout)).match({ state: 'ended', notReached: 1 })
    should(commands()).be.empty()
  })

  it('leaves out cells that are long gone or have moved, says why, and does not stop because of them', async () => {
    const { act, centre, hear, pass, commands, written } = await useCentre()
    act()
    const left = (serial: string) => ({
      devices: state('x').devices.map((device) => ({ ...device, serial })),
    })
    // In the order of their names, the first three would be the first waves.
    hear(state('a-removed', left('1')))
    hear(state('b-renamed', left('2')))
    pass(100)
    for (const [cell, serial] of [
      ['c-new', '2'],
      ['d', '3'],
      ['e', '4'],
    ] as const)
      hear(state(cell, { every: 3600, ...left(serial) }))
    hear(state('a-late', { ...left('5'), boot: 'b9' }))
    pass(30)
    const order = {
      do: 'backup',
      where: {},
      canary: 1,
      wave: 1,
      approval: 'none',
      stopAfter: 1,
      reachWithin: 60,
    }
    const rollout = await centre.begin(order)
    const plan = rollout.record.plan.members.map(({ cell }) => cell)
    should(plan.slice(0, 3)).deepEqual(['c-new', 'd', 'e'])
    should(membersOf(rollout).filter(({ state: is }) => is === 'not-reached')).match([
      { address: 'north/a-removed/left', code: 'NOT_SEEN', text: /not seen, so nothing was tried/ },
      { address: 'north/b-renamed/left', code: 'MOVED', text: /north\/c-new\/left/ },
    ])
    for (let wave = 0; wave < 3; wave++) {
      await written()
      answer(centre, commands()[wave], {}, plan[wave])
    }
    // The last one is waited for, and is no failure either: nothing was tried.
    pass(61)
    await written()
    should(progressOf(rollout)).match({ state: 'ended', stopped: '', done: 3, notReached: 3, skipped: 0 })
    should(commands().length).equal(3)
  })

  it('counts a cell as a failure that is lost in the middle, as an update may have done it', async () => {
    const { act, centre, hear, pass, commands, written } = await useCentre()
    act()
    hear(state('c1', { every: 3600 }))
    hear(state('c2', { every: 3600 }))
    hear(state('c3', { every: 3600 }))
    const rollout = await centre.begin({
      ...{ do: 'backup', devices: ['c1', 'c2', 'c3'].map((cell) => `north/${cell}/left`) },
      ...{ canary: 0, wave: 3, atOnce: 1, approval: 'none', stopAfter: 1, reachWithin: 60 },
    })
    await written()
    pass(1)
    hear(state('c2', { every: 3600, n: 2 }))
    hear(state('c3', { every: 3600, n: 2 }))
    for (const cell of ['c2', 'c3']) centre.receive({ topic: `vision/north/${cell}/gone`, payload: '' })
    answer(centre, commands()[0], {}, 'c1')
    pass(61)
    await written()
    should(progressOf(rollout)).match({ state: 'ended', done: 1, notReached: 2 })
    should(rollout.record.failures).equal(2)
    should(membersOf(rollout)[0]).match({ state: 'not-reached', address: 'north/c2/left' })
    should(membersOf(rollout)[0]?.code).be.undefined()
  })

  it('begins nothing where no cell is there', async () => {
    const { act, centre, hear, pass } = await useCentre()
    act()
    hear(state('c1'))
    pass(700)
    await centre
      .begin({ do: 'backup', where: {} })
      .should.be.rejectedWith({ code: 'REFUSED', message: /forget cells/ })
    should(centre.rollouts.all).be.empty()
  })

  it('goes on by its journal, also if its last line was cut off', async () => {
    const bench = await useCentre()
    const { act, hear, written, commands, folder, open } = bench
    act()
    hear(state('c1', { every: 3600 }))
    hear(state('c2', { every: 3600 }))
    const { record } = await bench.centre.begin({ do: 'backup', where: {}, canary: 1, approval: 'none' })
    await written()
    await bench.centre.close()
    const [first] = commands()
    const [file = ''] = readdirSync(folder)
    appendFileSync(join(folder, file), '{"kind":"ended","member":0,"end')

    bench.centre = await open()
    const [rollout] = bench.centre.rollouts.all
    should(rollout?.record.plan).deepEqual(record.plan)
    should(rollout?.record.phase(0)).equal('begun')
    answer(bench.centre, first, {})
    await bench.centre.close()
    const [again] = (await open()).rollouts.all
    should(again?.record.ending(0)).match({ ending: 'done' })
    rmSync(folder, { recursive: true })
  })

  it('names what is wrong with an order', async () => {
    const { act, centre, hear } = await useCentre()
    act()
    hear(state('c1'))
    const wrong: [object, string][] = [
      [{ do: 'dance', where: {} }, 'do'],
      [{ do: 'backup' }, 'devices'],
      [{ do: 'backup', devices: ['north/c1/left', 'north/c1/left'] }, 'north/c1/left'],
      [{ do: 'backup', devices: ['north'] }, 'north'],
      [{ do: 'backup', where: { plant: 'south' } }, 'search'],
      [{ do: 'backup', where: {}, wave: '0 percent' }, 'wave'],
      [{ do: 'backup', where: {}, zones: { north: 'Europe/Atlantis' } }, 'Atlantis'],
      [{ do: 'backup', where: {}, window: { from: '8', to: '9' } }, 'window'],
      [{ do: 'update-firmware', where: {} }, 'artifact'],
      [{ do: 'backup', where: {}, every: 1 }, 'every'],
    ]
    for (const [order, named] of wrong)
      await centre.begin(order).should.be.rejectedWith({ code: 'INVALID_INPUT', message: new RegExp(named) })
  })
})

describe('the journals of rollouts', () => {
  const plan = (id: string, startedAt: string) => ({ id, startedAt }) as RolloutPlan
  const paused = { kind: 'paused' } as const

  it('of an earlier version are read, and one that is damaged is reported and left as it is', async () => {
    const folder = mkdtempSync(join(folders, 'store-'))
    const first = { format: 'fleet-rollout journal', version: 1, plan: plan('b', '2026-02-01') }
    const lines = [first, paused, { kind: 'resumed' }].map((line) => JSON.stringify(line))
    writeFileSync(join(folder, 'b.rollout.jsonl'), `${lines.join('\n')}\n{"kind":"fini`)
    writeFileSync(join(folder, 'c.rollout.jsonl'), '{"format":"fleet-rollout journal","version":9}\n')
    const damage: unknown[] = []
    const store = rolloutStore(folder, (one) => damage.push(one))
    should((await store.load()).map(({ entries }) => entries)).eql([[paused, { kind: 'resumed' }]])
    should(damage).match([{ code: 'DAMAGED', message: /c\.rollout\.jsonl/ }])
    readFileSync(join(folder, 'c.rollout.jsonl'), 'utf8').should.match(/"version":9/)
    await store.begin(plan('a', '2026-01-01'))
    await store.append('a', [paused])
    await store.append('b', [{ kind: 'finished', at: '2026-02-02' }])
    await store.close()
    const again = await rolloutStore(folder).load()
    should(again.map((one) => [one.plan.id, one.entries.length])).eql([
      ['a', 1],
      ['b', 3],
    ])
  })

  it('on a full disk say so, and damage no entry that follows', async function () {
    const disk = smallDisk()
    if (!disk) return this.skip()
    try {
      const store = rolloutStore(disk.folder)
      await store.begin(plan('a', '2026-01-01'))
      disk.fill()
      const long = { kind: 'finished', at: 'x'.repeat(9000) } as const
      await store.append('a', [long]).should.be.rejectedWith({ code: 'NOT_WRITTEN', message: /disk is full/ })
      await store.begin(plan('b', '2026-02-01')).should.be.rejectedWith({ code: 'NOT_WRITTEN' })
      disk.free()
      await store.append('a', [paused])
      await store.append('a', [{ kind: 'finished', at: 1n as never }]).should.be.rejectedWith({
        ...{ code: 'INVALID_INPUT', path: 'entry.at' },
      })
      const [a] = await rolloutStore(disk.folder).load()
      should(a?.entries).eql([long, paused])
      await store.close()
    } finally {
      disk.remove()
    }
  })

  it('do not refuse the order of a rollout that runs where an old one cannot be removed', async () => {
    const { act, centre, folder, hear, pass, written } = await useCentre()
    act()
    hear(state('c1', { every: 10_000, expires: 86_400 }))
    const order = { do: 'backup', where: {}, answerWithin: 20 }
    for (let count = 0; count < 21; count++) {
      const { record } = await centre.begin(order)
      await written()
      pass(21)
      await written()
      if (count > 0) continue
      const file = join(folder, `${record.plan.id}.rollout.jsonl`)
      rmSync(file)
      mkdirSync(file)
    }
    const last = await centre.begin(order)
    should(progressOf(last)).match({ state: 'running' })
  })
})
