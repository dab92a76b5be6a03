import { fork } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { filePositions } from '../../lib/logs/file-positions'
import { followLogs } from '../../lib/logs/follow'
import type { LogGap } from '../../lib/logs/follow-options'
import type { Saved } from '../../lib/logs/positions'
import { seededRandom } from '../../virtual-device/random'
import { eventually } from '../support/eventually'

const entries = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ mark: from + index, timestamp: (from + index) / 10 }))
const start = { tail: entries(0, 3), complete: true, gone: [] }

describe('positions in files', () => {
  let folder = ''
  const open = (device = 'a') => filePositions(folder, device)
  const file = () => join(folder, readdirSync(folder)[0] ?? '')
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'cellsight-positions-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  const noted = async () => {
    const positions = open()
    await positions.replace('x/../y.log', start)
    positions.begin('x/../y.log')
    positions.add('x/../y.log', entries(3, 5))
    positions.add('x/../y.log', entries(5, 6))
    return positions
  }
  const load = (device?: string) => open(device).load('x/../y.log')

  it('are found again as they were left, after a kill and after an end in good order', async () => {
    await (await noted()).close()
    should(await load()).match({ kept: { tail: entries(0, 6), complete: true, gone: [] }, isUncertain: true })
    const positions = open()
    await positions.end('x/../y.log')
    await positions.close()
    const killed = await load()
    should(killed).match({ isUncertain: false })
    should(killed).not.have.property('restedFor')
    positions.rest('x/../y.log')
    await positions.close()
    const saved = await load()
    should((saved as Saved).restedFor).be.within(0, 5000)
    readdirSync(folder).length.should.equal(1)
  })

  it('do without a line that is not complete, and go on behind it', async () => {
    await (await noted()).close()
    truncateSync(file(), readFileSync(file()).length - 4)
    const positions = open()
    should(await positions.load('x/../y.log')).match({ kept: { tail: entries(0, 5) }, isUncertain: true })
    positions.add('x/../y.log', entries(5, 7))
    await positions.close()
    should(await load()).match({ kept: { tail: entries(0, 7) } })
  })

  it('know a damaged file from none, and from that of another device', async () => {
    should(await load()).be.undefined()
    await (await noted()).close()
    should(await load('b')).be.undefined()
    appendFileSync(file(), 'nonsense\n')
    should(await load()).equal('damaged')
    writeFileSync(file(), '')
    should(await load()).equal('damaged')
  })

  it('do not grow for ever', async () => {
    const positions = open()
    await positions.replace('a.log', start)
    for (let from = 3; from < 30_000; from += 1000) {
      positions.begin('a.log')
      positions.add('a.log', entries(from, from + 1000))
      await positions.end('a.log')
    }
    await positions.close()
    readFileSync(file()).length.should.be.below(250_000)
    const saved = await open().load('a.log')
    should((saved as Saved).kept.tail.at(-1)).eql(entries(30_002, 30_003)[0])
  })

  it('that cannot be kept are told, and following goes on', async () => {
    writeFileSync(join(folder, 'taken'), '')
    const problems: string[] = []
    const lines: string[] = []
    const log = ['one', 'two'].map((message) => ({ level: 'INFO', component: 'x', message, timestamp: 1 }))
    const follower = followLogs(
      {
        source: {
          listLogs: () => Promise.resolve([{ name: 'a.log', date: 1 }]),
          getLog: ({ limit }) => Promise.resolve({ name: 'a.log', date: 1, log: log.slice(-limit) }),
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
    should(problems[0]).match(/position in the logs cannot be kept in .*taken/)
    await follower.close()
    lines.should.eql([])
  })

  it('bring every entry once over kills at any moment, but for those that say so', async function () {
    this.timeout(30_000)
    const kills = process.env['CELLSIGHT_LONG'] === '1' ? 100 : 6
    const random = seededRandom(7)
    const output = join(folder, 'output')
    const total = 400
    writeFileSync(output, '')
    const lines = () =>
      readFileSync(output, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { number: number; repeated: boolean })
    for (let round = 0; round <= kills; round++) {
      const child = fork(join(__dirname, 'followed-until-killed.js'), [
        join(folder, 'kept'),
        output,
        String(total),
      ])
      const ended = once(child, 'exit')
      if (round < kills) {
        const until = lines().length + 1 + Math.floor(random() * (total / kills / 2))
        await eventually(() => lines().length.should.be.aboveOrEqual(until))
        child.kill('SIGKILL')
      }
      await ended
    }
    const once_: number[] = []
    for (const { number, repeated } of lines()) {
      if (number === once_.at(-1) && repeated) continue
      once_.push(number)
    }
    once_.should.eql(Array.from({ length: total }, (_, index) => index))
  })
})
