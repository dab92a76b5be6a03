import { createServer } from 'node:http'
import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { createClient, logs } from '../../lib'
import { VisionError } from '../../lib/client/vision-error'
import type { LogEntry } from '../../lib/contract'
import { eventually } from '../support/eventually'
import { entry, follow, numbered, numbersFrom } from './followed-by-hand'

/** What was delivered: names of logs with messages, or with reasons of gaps. */
function collect(options: logs.FollowOptions) {
  const came: string[] = []
  const states: string[] = []
  const follower = logs.followLogs(
    { pace: { shortest: 5, longest: 5 }, ...options },
    {
      onEntries: (lines) => void came.push(...lines.map(({ log, message }) => `${log} ${message}`)),
      onGap: ({ log, reason }) => void came.push(`${log} gap: ${reason}`),
      onState: ({ doing }) => states.push(doing),
    },
  )
  return { came, states, follower }
}

/** A device with these logs. */
const source = (all: Record<string, LogEntry[]>, failing: readonly string[] = []): logs.LogSource => ({
  listLogs: () => Promise.resolve(Object.keys(all).map((name) => ({ name, date: all[name]?.length ?? 0 }))),
  getLog: ({ log: name, limit }) => {
    if (failing.includes(name)) throw new VisionError({ code: 'DEVICE_FAULT', key: 'device-fault' })
    const entries = all[name] ?? []
    return Promise.resolve({ name, date: entries.length, log: entries.slice(-limit) })
  },
})

describe('following unusual logs', () => {
  const old = numbered(0, 100)

  it('misses nothing if a device counts lines of text, and shows fewer entries than requested', async () => {
    const { state, look, follower } = follow([])
    state.countsText = true
    await look()
    const trace = { ...entry(390), message: 'entry 390\n  at one\n  at two' }
    const burst = [...numbered(0, 390), trace, ...numbered(391, 420)]
    const { came } = await look(burst)
    came.length.should.equal(420)
    came.filter((one) => Number.isNaN(one)).length.should.equal(1)
    ;(await look([...burst, ...numbered(420, 425)])).came.should.eql(numbersFrom(420, 425))
    await follower.close()
  })

  it('does not take a log as empty if its only entry does not fit', async () => {
    const { state, look, follower } = follow([])
    state.countsText = true
    await look()
    const long = { ...entry(1), message: `entry 1${'\n'.repeat(300)}` }
    ;(await look([long, entry(2)])).came.length.should.equal(2)
    await follower.close()
  })

  it('continues if a log was missing for several reads and has grown meanwhile', async () => {
    const { state, states, look, follower } = follow(old)
    await look()
    state.isMissing = true
    for (let times = 0; times < 5; times++) (await look(numbered(0, 110))).came.should.eql([])
    state.isMissing = false
    ;(await look(numbered(0, 900))).came.should.eql(numbersFrom(100, 900))
    states.should.eql(['following', 'missing', 'catchingUp'])
    await follower.close()
  })

  it('continues if the clock is set back at the moment at which old entries are dropped', async () => {
    const { look, follower } = follow(old)
    const earlier = numbered(100, 140).map((one) => ({ ...one, timestamp: one.timestamp - 3600 }))
    ;(await look([...old.slice(60), ...earlier])).came.should.eql(numbersFrom(100, 140))
    const later = numbered(140, 150).map((one) => ({ ...one, timestamp: one.timestamp + 3600 }))
    ;(await look([...earlier.slice(30), ...later])).came.should.eql(numbersFrom(140, 150))
    await follower.close()
  })

  it('reports once that a restart has emptied a log, before the first of the new entries', async () => {
    const { look, follower } = follow(old)
    for (let times = 0; times < 3; times++) (await look([])).came.should.eql([])
    ;(await look(numbered(500, 503))).came.should.eql(['replaced', 500, 501, 502])
    ;(await look(numbered(500, 504))).came.should.eql([503])
    await follower.close()
  })

  it('reports missing entries if a log begins anew and exceeds what it shows between two reads', async () => {
    const { look, follower } = follow(old, { most: 100 })
    ;(await look(numbered(1000, 1500))).came.should.eql(['overrun', ...numbersFrom(1400, 1500)])
    await follower.close()
  })

  it('counts equal entries of one moment up to its longest answer, and reports if it cannot', async () => {
    const { look, follower } = follow(old, { most: 100 })
    const equal = (count: number) => [...old, ...Array<LogEntry>(count).fill(entry(200))]
    ;(await look(equal(30))).came.should.eql(Array(30).fill(200))
    ;(await look(equal(99))).came.should.eql(Array(69).fill(200))
    // Only equal entries are visible now: at least one more is new.
    ;(await look(equal(130))).came.should.eql(['uncountable', 200])
    ;(await look([...equal(130), entry(300), entry(301)])).came.should.eql(['uncountable', 300, 301])
    ;(await look([...equal(130), ...numbered(300, 303)])).came.should.eql([302])
    await follower.close()
  })

  it('is not blocked by a log that the device cannot read', async () => {
    const all = { 'a.log': numbered(0, 3), 'b.log': numbered(0, 3) }
    const { came, states, follower } = collect({ source: source(all, ['a.log']) })
    await eventually(() => states.should.eql(['failing']))
    all['b.log'] = numbered(0, 5)
    await eventually(() => came.should.eql(['b.log entry 3', 'b.log entry 4']))
    await follower.close()
  })

  it('starts at the present end of a log that could not be read at first, and at the beginning of a new one', async () => {
    const all: Record<string, LogEntry[]> = { 'a.log': numbered(0, 3), 'b.log': numbered(0, 3) }
    const failing = ['a.log']
    const { came, states, follower } = collect({ source: source(all, failing) })
    await eventually(() => states.should.eql(['failing']))
    failing.pop()
    await eventually(() => states.should.eql(['failing', 'following']))
    all['a.log'] = numbered(0, 4)
    all['new.log'] = numbered(0, 1)
    await eventually(() => came.sort().should.eql(['a.log entry 3', 'new.log entry 0']))
    await follower.close()
  })

  it('distinguishes logs by case and unusual characters', async () => {
    const names = ['a.log', 'A.log', 'ä/..%2F.log', ' ', '日本']
    const all = Object.fromEntries(names.map((name) => [name, old]))
    const folder = mkdtempSync(join(tmpdir(), 'cellsight-odd-'))
    const kept = () => ({
      source: source(all),
      start: 'kept' as const,
      positions: logs.filePositions(folder, 'x'),
    })
    const first = collect(kept())
    await eventually(() => first.states.should.eql(['following']))
    await first.follower.close()
    names.forEach((name, index) => (all[name] = numbered(0, 101 + index)))
    const second = collect(kept())
    const expected = names.flatMap((name, index) =>
      numbersFrom(100, 101 + index).map((number) => `${name} entry ${number}`),
    )
    await eventually(() => second.came.sort().should.eql(expected.sort()))
    await second.follower.close()
    rmSync(folder, { recursive: true })
  })

  it('reports only the log whose position is lost, and delivers nothing of it again', async () => {
    const all = { 'a.log': numbered(0, 10), 'b.log': numbered(0, 10) }
    const folder = mkdtempSync(join(tmpdir(), 'cellsight-odd-'))
    const kept = () => ({
      source: source(all),
      start: 'kept' as const,
      positions: logs.filePositions(folder, 'x'),
    })
    const first = collect(kept())
    await eventually(() => first.states.should.eql(['following']))
    await first.follower.close()
    truncateSync(join(folder, readdirSync(folder).find((name) => name.startsWith('a')) ?? ''))
    all['a.log'] = numbered(0, 12)
    all['b.log'] = numbered(0, 12)
    const second = collect(kept())
    await eventually(() =>
      second.came.should.eql(['a.log gap: forgotten', 'b.log entry 10', 'b.log entry 11']),
    )
    all['a.log'] = numbered(0, 13)
    await eventually(() => second.came.at(-1)?.should.equal('a.log entry 12'))
    await second.follower.close()
    rmSync(folder, { recursive: true })
  })
})

describe('following a log over HTTP', () => {
  it('continues if entries are very long, have no text, or bytes that are not text', async () => {
    const line = (text: string | Buffer, timestamp: number) =>
      Buffer.concat([
        Buffer.from(`{"component":"x","level":"INFO","timestamp":${timestamp},"message":"`),
        Buffer.from(text),
        Buffer.from('"}'),
      ])
    let entries = Array.from({ length: 20 }, (_, index) => line(`old ${index}`, index))
    const server = createServer(({ url = '' }, response) => {
      const limit = Number(new URL(url, 'http://x').searchParams.get('limit'))
      const shown = entries
        .slice(-limit)
        .flatMap((one, index) => (index > 0 ? [Buffer.from(','), one] : [one]))
      response.setHeader('content-type', 'application/json')
      response.end(
        url.includes('a.log')
          ? Buffer.concat([Buffer.from('{"name":"a.log","date":1,"log":['), ...shown, Buffer.from(']}')])
          : `[{"name":"a.log","date":${entries.length}}]`,
      )
    }).listen(0, '127.0.0.1')
    await eventually(() => should(server.listening).be.true())
    const client = createClient({
      address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      maxAnswerBytes: 3_000_000,
    })
    const { came, states, follower } = collect({ source: client, log: 'a.log' })
    await eventually(() => states.should.eql(['following']))
    const long = (letter: string) => letter.repeat(900_000)
    // Ten of them exceed the client's limit: some can be read, and are behind what cannot.
    entries = [...entries, ...Array.from('abcdefghij', (letter, index) => line(long(letter), 100 + index))]
    await eventually(() => came.at(-1)?.should.equal(`a.log ${long('j')}`))
    came[0]?.should.equal('a.log gap: overrun')
    came[1]?.should.match(/^a\.log ([hi])\1+$/)
    entries = [...entries, line('', 200), line(Buffer.from([0x63, 0xff, 0xfe]), 201)]
    await eventually(() => came.slice(-2).should.eql(['a.log ', 'a.log c\ufffd\ufffd']))
    // When the long ones have gone, each read covers as much as before, even one that is in progress.
    entries = Array.from({ length: 600 }, (_, index) => line(`new ${index}`, 300 + index))
    await eventually(() => came.at(-1)?.should.equal('a.log new 599'))
    came.slice(-601, -599).should.eql(['a.log gap: replaced', 'a.log new 0'])
    const whole = came.filter((one) => !one.includes('gap: '))
    new Set(whole).size.should.equal(whole.length)
    await follower.close()
    await client.close()
    server.close()
  }).timeout(30_000)
})
