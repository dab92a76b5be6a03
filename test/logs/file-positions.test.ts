import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { filePositions, type SavedPosition } from '../../lib/logs/positions'
import { followLogs } from '../../lib/logs/follow'
import type { LogGap } from '../../lib/logs/follow-options'
import { eventually } from '../support/eventually'
import { smallDisk } from '../support/small-disk'

const entries = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ mark: from + index, timestamp: (from + index) / 10 }))
const kept = (to: number) => ({ tail: entries(0, to), complete: true, gone: [], doubtful: [] as number[] })
const log = 'x/../y.log'

describe('saved positions', () => {
  let folder = ''
  let damage: string[] = []
  const open = (device = 'a', boot: string | null = 'one') =>
    filePositions(folder, device, { boot, onDamage: ({ message }) => damage.push(message) })
  const file = () => join(folder, readdirSync(folder).find((name) => name.endsWith('.position')) ?? '')
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cellsight-positions-'))
    damage = []
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Of six entries, two have been delivered and one is being delivered. */
  const interrupted = async (boot?: string | null) => {
    const positions = open('a', boot)
    await positions.replace(log, kept(3))
    await positions.announce(log, kept(3), entries(3, 9))
    positions.leaving(log, 0, 2)
    positions.leaving(log, 2, 3)
    return positions
  }
  const load = async (device?: string, boot?: string | null) => {
    const positions = open(device, boot)
    const saved = await positions.load(log)
    await positions.close()
    return saved
  }

  it('show after a kill what was being delivered, and after a power failure what may have been', async () => {
    await (await interrupted()).close()
    const copy = readFileSync(file())
    should(await load()).match({ kept: { ...kept(5), doubtful: [5] } })
    // Once doubtful, it stays so until the position has passed it.
    should(await load('a', 'two')).match({ kept: { ...kept(5), doubtful: [5] } })
    writeFileSync(file(), copy)
    should(await load('a', 'two')).match({ kept: { ...kept(5), doubtful: [5, 6, 7, 8] } })
  })

  it('assume the worst if the system does not show whether it has restarted', async () => {
    await (await interrupted(null)).close()
    should(await load('a', null)).match({ kept: { ...kept(5), doubtful: [5, 6, 7, 8] } })
  })

  it('that version 0.1 has written are continued', async () => {
    const lines = [
      '{"version":2,"device":"a","complete":true,"tail":[[0,0],[1,0.1]],"gone":[[9,0.9]],"doubtful":[7]}',
      '{"announced":[[2,0.2],[3,0.3],[4,0.4]],"boot":"one"}',
      '{"left":0,"leaving":1}',
      '{"left":1,"leaving":3}',
    ]
    const before = { complete: true, gone: [{ mark: 9, timestamp: 0.9 }] }
    writeFileSync(join(folder, 'x%2f%2e%2e%2fy%2elog.position'), `${lines.join('\n')}\n`)
    should(await load()).match({ kept: { ...before, tail: entries(0, 3), doubtful: [7, 3, 4] } })
    lines.push('{"moved":3,"others":[[5,0.5]]}', `{"rested":${Date.now()},"boot":"one"}`)
    writeFileSync(file(), `${lines.join('\n')}\n`)
    const rested = await load()
    should(rested).match({ kept: { ...before, tail: entries(0, 6), doubtful: [7] } })
    should((rested as SavedPosition).restedFor).be.within(0, 5000)
    damage.should.be.empty()
  })

  it('are read back as saved, after a kill and after an end in good order', async () => {
    const positions = await interrupted()
    positions.moved(log, 3, [])
    await positions.announce(log, kept(6), entries(6, 8))
    positions.leaving(log, 0, 1)
    positions.moved(log, 2, entries(8, 10))
    await positions.end(log)
    await positions.close()
    const killed = await load()
    should(killed).match({ kept: kept(10) })
    should(killed).not.have.property('restedFor')
    const next = open()
    await next.load(log)
    next.rest(log)
    await next.close()
    const copy = readFileSync(file())
    should(((await load()) as SavedPosition).restedFor).be.within(0, 5000)
    writeFileSync(file(), copy)
    // It is unknown how long the computer was off.
    should(await load('a', 'two')).not.have.property('restedFor')
    readdirSync(folder).length.should.equal(1)
  })

  it('ignore lines torn by a power failure, and continue after them', async () => {
    await (await interrupted()).close()
    const whole = readFileSync(file())
    for (const torn of [whole.subarray(0, -4), Buffer.concat([whole, Buffer.alloc(60)])]) {
      writeFileSync(file(), torn)
      const isCut = torn.length < whole.length
      const positions = open()
      should(await positions.load(log)).match({
        kept: isCut ? { ...kept(3), doubtful: [3, 4] } : { ...kept(5), doubtful: [5] },
      })
      positions.moved(log, 0, entries(isCut ? 3 : 5, 7))
      await positions.close()
      should(await load()).match({ kept: kept(7) })
    }
  })

  it('remove what a killed writer left behind', async () => {
    await (await interrupted()).close()
    writeFileSync(`${file()}.0123abcd.tmp`, 'half')
    await load()
    readdirSync(folder).length.should.equal(1)
  })

  it("distinguish a damaged file from a missing one, and from another device's", async () => {
    should(await load()).be.undefined()
    await (await interrupted()).close()
    should(await load('b')).be.undefined()
    damage.should.be.empty()
    appendFileSync(file(), 'nonsense\n{"moved":0,"others":[]}\n')
    should(await load()).equal('damaged')
    damage.length.should.equal(1)
    // It stays unknown until it is replaced, whatever happens before.
    should(await load()).equal('damaged')
    damage.length.should.equal(1)
    const positions = open()
    await positions.replace(log, kept(4))
    await positions.close()
    should(await load()).match({ kept: kept(4) })
    writeFileSync(file(), '')
    should(await load()).equal('damaged')
    should(damage[1]).match(/empty.*renamed/)
  })

  it('have a file for each log, whatever its name', async () => {
    const names = [
      'a.log',
      'A.log',
      'ä.log',
      '../a.log',
      'a/b',
      'con',
      '%61.log',
      '\ud800',
      ' all',
      'x'.repeat(300),
    ]
    const positions = open()
    for (const [index, name] of names.entries()) await positions.replace(name, kept(index))
    await positions.close()
    new Set(readdirSync(folder).map((name) => name.toLowerCase())).size.should.equal(names.length)
    for (const [index, name] of names.entries()) should(await open().load(name)).match({ kept: kept(index) })
  })

  it('do not grow for ever', async () => {
    const positions = open()
    await positions.replace('a.log', kept(3))
    for (let from = 3; from < 30_000; from += 1000) {
      const tail = entries(Math.max(0, from - 500), from)
      await positions.announce('a.log', { ...kept(0), tail }, entries(from, from + 1000))
      positions.leaving('a.log', 0, 1000)
      positions.moved('a.log', 1000, [])
      await positions.end('a.log')
    }
    await positions.close()
    readFileSync(file()).length.should.be.below(250_000)
    const saved = await open().load('a.log')
    should((saved as SavedPosition).kept.tail.at(-1)).eql(entries(30_002, 30_003)[0])
  })

  it('are discarded if they could not be written, and written again as soon as possible', async () => {
    const disk = smallDisk(join(folder, 'disk'))
    const onDisk = () => filePositions(disk.folder, 'a', { boot: 'one' })
    const name = join(disk.folder, 'x%2f%2e%2e%2fy%2elog.position')
    try {
      const positions = onDisk()
      await positions.replace(log, kept(3))
      disk.fill()
      // More than the file's own page has room for.
      const many = entries(3, 1000)
      await positions.announce(log, kept(3), many).should.be.rejectedWith({ code: 'NOT_WRITTEN' })
      readFileSync(name, 'utf8').should.equal('')
      should(() => positions.leaving(log, 0, 2)).throw({ code: 'NOT_WRITTEN' })
      disk.free()
      positions.leaving(log, 1, 3)
      await positions.end(log)
      copyFileSync(name, join(folder, 'copy'))
      const afterKill = onDisk()
      should(await afterKill.load(log)).match({ kept: { ...kept(4), doubtful: [4, 5] } })
      await afterKill.close()
      copyFileSync(join(folder, 'copy'), name)
      const afterPowerFailure = filePositions(disk.folder, 'a', { boot: 'two' })
      should(await afterPowerFailure.load(log)).match({
        kept: { ...kept(4), doubtful: many.slice(1).map(({ mark }) => mark) },
      })
      await afterPowerFailure.close()
      await positions.close()
    } finally {
      disk.remove()
    }
  })

  it('report a failure to save, and following continues', async () => {
    writeFileSync(join(folder, 'taken'), '')
    const problems: string[] = []
    const lines: string[] = []
    const shown = ['one', 'two'].map((message) => ({ level: 'INFO', component: 'x', message, timestamp: 1 }))
    const follower = followLogs(
      {
        source: {
          listLogs: () => Promise.resolve([{ name: 'a.log', date: 1 }]),
          getLog: ({ limit }) => Promise.resolve({ name: 'a.log', date: 1, log: shown.slice(-limit) }),
        },
        log: 'a.log',
        start: 'kept',
        positions: filePositions(join(folder, 'taken'), 'a'),
        pace: { shortest: 5, longest: 5 },
      },
      {
        onEntries: (given) => void lines.push(...given.map(({ message }) => message)),
        onGap: ({ reason }: LogGap) => void lines.push(reason),
        onProblem: ({ message }) => problems.push(message),
      },
    )
    await eventually(() => problems.length.should.equal(1))
    should(problems[0]).match(/log position cannot be saved in .*taken/)
    await follower.close()
    lines.should.eql([])
  })
})
