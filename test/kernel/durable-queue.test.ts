import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { DurableQueue } from '../../lib/kernel/durable-queue'
import { LogRecord, logRecord } from '../../lib/otlp/log-record'

describe('a durable queue', () => {
  let folder = ''
  const open = () =>
    DurableQueue.open({ folder, entry: LogRecord, most: 1_000_000, atOnce: 2, bytesAtOnce: 100_000 })
  const record = (text: string) => logRecord({ level: 'INFO', text, attributes: {} })
  const texts = (entries: readonly LogRecord[] = []) => entries.map(({ body }) => body)
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'durable-queue-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  it('reads the files of version 0.1', async () => {
    const line = (text: string) =>
      `{"timeUnixNano":"1700000000250000000","observedTimeUnixNano":"1764000000000000000","severityNumber":17,` +
      `"severityText":"ERROR","body":{"stringValue":"${text}"},"attributes":[{"key":"vision.log","value":` +
      `{"stringValue":"api.log"}},{"key":"vision.repeated","value":{"boolValue":true}}],"eventName":"an.event"}\n`
    writeFileSync(join(folder, '000000000003.sending'), line('first'))
    writeFileSync(join(folder, '000000000004.waiting'), line('second') + line('torn').slice(0, 50))
    writeFileSync(
      join(folder, '000000000005.waiting'),
      `\0\0\n${line('third')}{"half\n${line('torn').slice(0, -1)}`,
    )
    const queue = await open()
    const first = await queue.take()
    should(first).match({ mayHaveArrived: true, entries: [{ body: { stringValue: 'first' } }] })
    if (first) await queue.remove(first.batch)
    const second = await queue.take()
    should(second?.mayHaveArrived).equal(false)
    texts(second?.entries).should.deepEqual([{ stringValue: 'second' }])
    // Only a last line can be one that was never complete.
    should(second?.damaged).equal(0)
    if (second) await queue.remove(second.batch)
    const third = await queue.take()
    texts(third?.entries).should.deepEqual([{ stringValue: 'third' }, { stringValue: 'torn' }])
    should(third?.damaged).equal(2)
    await queue.close()
  })

  it('rejects what is not JSON or no entry, and is unchanged', async () => {
    const queue = await open()
    queue.put(record('before'))
    const odd = (change: object) => Object.assign(record('odd'), change)
    should(() => queue.put(odd({ body: { stringValue: 1n } }))).throw({ code: 'INVALID_INPUT' })
    should(() => queue.put(odd({ severityNumber: NaN }))).throw({ code: 'INVALID_INPUT' })
    should(() => queue.put(odd({ more: new Map() }))).throw({ code: 'INVALID_INPUT' })
    queue.put(record('after'))
    texts((await queue.take())?.entries).should.deepEqual([
      { stringValue: 'before' },
      { stringValue: 'after' },
    ])
    await queue.close()
  })

  it('keeps a batch that cannot be read now, for the next attempt', async () => {
    const queue = await open()
    for (const text of ['a', 'b', 'c']) queue.put(record(text))
    await queue.sync()
    const file = join(folder, '000000000001.waiting')
    renameSync(file, join(folder, 'aside'))
    mkdirSync(file)
    await queue.take().should.be.rejectedWith({ code: 'EISDIR' })
    rmSync(file, { recursive: true })
    renameSync(join(folder, 'aside'), file)
    const taken = await queue.take()
    texts(taken?.entries).should.deepEqual([{ stringValue: 'a' }, { stringValue: 'b' }])
    if (taken) await queue.remove(taken.batch)
    await queue.close()
  })

  it('marks what may have arrived before, unless it is given back', async () => {
    const queue = await open()
    for (const text of ['a', 'b', 'c']) queue.put(record(text))
    const taken = await queue.take()
    await queue.close()
    const next = await open()
    const again = await next.take()
    should(again?.mayHaveArrived).equal(true)
    texts(again?.entries).should.deepEqual(texts(taken?.entries))
    if (again) await next.remove(again.batch)
    const last = await next.take()
    if (last) await next.giveBack(last.batch)
    await next.close()
    readdirSync(folder).should.deepEqual(['000000000002.waiting'])
  })
})
