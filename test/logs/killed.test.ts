import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { endOf } from '../support/end-of'
import type { Log, LogEntry } from '../../lib/contract'
import type { LogLine } from '../../lib/logs/follow-options'
import { manualClock, startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { seededRandom } from '../../virtual-device/values'
import { eventually } from '../support/eventually'

const isLong = process.env['CELLSIGHT_LONG'] === '1'
const log = 'camera.log'

describe('a program that follows a log and is killed', function () {
  this.timeout(isLong ? 600_000 : 120_000)
  const random = seededRandom(11)
  const clock = manualClock()
  let device: VirtualDevice
  let folder = ''
  before(async () => {
    device = await startVirtualDevice({ port: 0, clock })
  })
  after(() => device.stop())
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'cellsight-killed-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  const output = () => join(folder, 'output')
  const start = (dieAt = 0) => {
    const given = [join(folder, 'kept'), output(), device.url, log, String(dieAt)]
    return fork(join(__dirname, 'followed-until-killed.js'), given)
  }
  /** @returns the number of points, if it was not killed */
  const live = async (dieAt = 0) => {
    const child = start(dieAt)
    let points: number | undefined
    child.on('message', (told) => ({ points } = told as { points: number }))
    const [code, signal] = await endOf(child)
    should(signal ?? code).equal(points === undefined ? 'SIGKILL' : 0)
    return points
  }
  /** Makes this many entries appear by themselves, in all logs. */
  const chat = (entries: number) => {
    device.setScenario({ log_chatter: entries })
    clock.advance(1)
    device.setScenario({ log_chatter: 0 })
  }
  const held = async () => {
    const response = await fetch(`${device.url}/api/v2/logs/${log}?limit=10000`)
    return ((await response.json()) as Log).log
  }
  const lines = () =>
    existsSync(output())
      ? readFileSync(output(), 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as LogLine)
      : []

  /** All arrived in order; repeated ones followed at once, and were marked. @returns how many were repeated */
  const check = (came: readonly LogLine[], written: readonly LogEntry[]) => {
    const key = ({ timestamp, message }: LogEntry) => `${timestamp} ${message}`
    const first = new Map<string, number>()
    for (const line of came) {
      const at = first.get(key(line))
      if (at === undefined) first.set(key(line), first.size)
      else {
        should(line.repeated).be.true()
        // No more than were delivered with one message.
        at.should.be.aboveOrEqual(first.size - 2)
      }
    }
    const expected = written.map(key)
    const wrong = [...first.keys()].findIndex((one, index) => one !== expected[index])
    wrong.should.equal(-1)
    first.size.should.equal(expected.length)
    return came.length - first.size
  }

  it('delivers every entry once, at whichever point of a read it is killed, except those being delivered', async () => {
    await live()
    const known = (await held()).length
    chat(7)
    const all = (await live()) ?? 0
    all.should.be.above(25)
    // Every point of a read with entries; in the normal run, some of them.
    const points = Array.from({ length: all }, (_, index) => index + 1)
    const chosen = isLong ? points : points.filter(() => random() < 8 / all)
    let kills = 0
    for (const point of chosen) {
      chat(7)
      // A read with fewer entries has fewer points.
      if ((await live(point)) === undefined) kills++
      await live()
    }
    kills.should.be.above(chosen.length / 2)
    check(lines(), (await held()).slice(known)).should.be.belowOrEqual(2 * kills)
  })

  it('delivers every entry once although it is killed at any moment, except those being delivered', async () => {
    await live()
    const known = (await held()).length
    const kills = isLong ? 40 : 4
    for (let kill = 0; kill < kills; kill++) {
      chat(300)
      const child = start()
      const ended = once(child, 'exit')
      const until = lines().length + Math.floor(random() * 60)
      await eventually(() => lines().length.should.be.above(until))
      child.kill('SIGKILL')
      await ended
    }
    await live()
    check(lines(), (await held()).slice(known)).should.be.belowOrEqual(2 * kills)
  })
})
