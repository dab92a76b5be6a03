import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { openExporter, type Exporter, type ExporterOptions } from '../../lib/otlp/exporter'
import { eventually } from '../support/eventually'
import { slowName } from '../support/slow-addresses'
import { smallDisk } from '../support/small-disk'
import {
  attribute,
  cut,
  ok,
  recordsOf,
  silent,
  startCollector,
  status,
  textsOf,
  type TestCollector,
} from './collector'

describe('log records for a collector', () => {
  let collector: TestCollector
  let folder: string
  let exporter: Exporter | undefined
  const lost: { count: number; reason: string }[] = []
  const away: (string | undefined)[] = []

  const open = async (options: Partial<ExporterOptions> = {}) =>
    (exporter = await openExporter({
      ...{ url: `${collector.url}/v1/logs`, headers: { 'x-scope': 'plant 1' }, folder },
      resource: { 'service.name': 'vision-device' },
      scope: { name: 'test', version: '1' },
      ...{ collect: 5, pause: 5, deadline: 5000 },
      onLost: (count, by, reason) => lost.push({ count, reason: reason || by }),
      onAway: (reason) => away.push(reason),
      ...options,
    }))
  const put = (...texts: string[]) => {
    for (const text of texts)
      exporter?.put({ timestamp: 1700000000.25, level: 'ERROR', text, attributes: {} })
  }
  const arrived = (...texts: string[]) =>
    eventually(() => textsOf(collector.records()).should.deepEqual(texts), 20_000)
  const marks = () => collector.records().map((record) => attribute(record, 'vision.resent') === true)
  const files = () => readdirSync(folder)

  beforeEach(async () => {
    collector = await startCollector()
    folder = join(mkdtempSync(join(tmpdir(), 'otlp-')), 'buffer')
    lost.length = away.length = 0
  })
  afterEach(async () => {
    await exporter?.close()
    exporter = undefined
    await collector.away()
    rmSync(join(folder, '..'), { recursive: true, force: true })
  })

  const slow = slowName()

  it('reach a collector at a host name with several addresses over a slow link', async () => {
    const { port } = new URL(collector.url)
    await slow.lead(Number(port))
    await open({ url: `http://${slow.name}:${port}/v1/logs`, deadline: 30_000 })
    put('slow')
    await arrived('slow')
  })

  it('are whole where the disk was full in between: what it refused is refused with an error, and damages nothing', async () => {
    const disk = smallDisk(join(folder, '..', 'small'))
    try {
      await collector.away()
      const { put: putOne } = await open({ folder: join(disk.folder, 'buffer') })
      const kept: string[] = []
      let refused = 0
      const record = (text: string) => {
        try {
          putOne({ timestamp: 1700000000, level: 'INFO', text, attributes: {} })
          kept.push(text)
        } catch (error) {
          should(error).match({ code: 'ENOSPC' })
          refused++
        }
      }
      for (let round = 0; round < 3; round++) {
        record(`before ${round}`)
        disk.fill()
        // Of several sizes: the last page of a file takes what is shorter than its rest.
        for (const length of [9000, 5000, 4097, 300, 7000]) record(`${round} ${'x'.repeat(length)}`)
        disk.free()
        record(`after ${round}`)
      }
      should(refused).be.above(2)
      await collector.back()
      await arrived(...kept)
      lost.should.be.empty()
    } finally {
      await exporter?.close()
      exporter = undefined
      disk.remove()
    }
  })

  it('that are damaged on disk are counted once, when all others of their batch have arrived', async () => {
    await collector.away()
    await open()
    put('one', 'two', 'three')
    await exporter?.sync()
    await eventually(() => away.length.should.equal(1))
    await exporter?.close()
    const file = join(folder, files()[0] ?? '')
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    lines[1] = lines[1]?.replace('severityNumber', 'severity') ?? ''
    writeFileSync(file, ['{"half', ...lines, '{"torn'].join('\n'))
    await open()
    await eventually(() => away.length.should.equal(2))
    lost.should.be.empty()
    await collector.back()
    await arrived('one', 'three')
    await eventually(() => lost.should.eql([{ count: 2, reason: 'damage' }]))
  })

  it('are sent in one request, as the JSON of OTLP, with the headers', async () => {
    const { put: putOne } = await open()
    putOne({
      ...{ timestamp: 1700000000.25, level: 'WARN', text: 'hot', event: 'an.event' },
      attributes: { 'vision.log': 'api.log', 'vision.repeated': true, 'vision.none': undefined },
    })
    put('second')
    await arrived('hot', 'second')
    const [request, ...more] = collector.requests
    more.should.be.empty()
    should(request?.path).equal('/v1/logs')
    should(request?.headers).match({ 'content-type': 'application/json', 'x-scope': 'plant 1' })
    const [{ resource, scopeLogs } = { resource: {}, scopeLogs: [] }] = request?.body.resourceLogs ?? []
    should(resource).eql({ attributes: [{ key: 'service.name', value: { stringValue: 'vision-device' } }] })
    should(scopeLogs[0]?.scope).eql({ name: 'test', version: '1' })
    const [first] = collector.records()
    should(first).match({
      ...{ timeUnixNano: '1700000000250000000', severityNumber: 13, severityText: 'WARN' },
      ...{ body: { stringValue: 'hot' }, eventName: 'an.event', observedTimeUnixNano: /^\d{19}$/ },
    })
    should(first?.attributes.slice(0, 2)).eql([
      { key: 'vision.log', value: { stringValue: 'api.log' } },
      { key: 'vision.repeated', value: { boolValue: true } },
    ])
    const ids = collector.records().map((record) => attribute(record, 'log.record.uid'))
    should(new Set(ids).size).equal(2)
    await eventually(() => files().should.be.empty())
  })

  it('wait for a collector that is away, arrive once, and are not marked', async () => {
    await collector.away()
    await open()
    put('one')
    await eventually(() => away.should.deepEqual(['ECONNREFUSED']))
    put('two')
    await collector.back()
    await arrived('one', 'two')
    marks().should.deepEqual([false, false])
    await eventually(() => away.should.deepEqual(['ECONNREFUSED', undefined]))
    lost.should.be.empty()
  })

  it('survive a restart while the collector is away', async () => {
    await collector.away()
    await open()
    put('one', 'two')
    await exporter?.close()
    // Closed between two attempts, or in one that had begun: nothing may be lost in either case.
    await collector.back()
    await open()
    put('three')
    await arrived('one', 'two', 'three')
  })

  for (const code of [429, 503])
    it(`are sent again after ${code}, not before the time that the collector asks for, unmarked`, async () => {
      collector.answers.push(status(code, { 'retry-after': '1' }), ok())
      await open()
      const began = performance.now()
      put('one')
      await arrived('one')
      should(performance.now() - began).be.above(1000)
      collector.requests.length.should.equal(2)
      marks().should.deepEqual([false])
    })

  for (const [what, answer, options] of [
    ['the connection was cut after them', cut, {}],
    ['the collector does not answer in time', silent, { deadline: 100 }],
    ['a gateway answers 502', status(502), {}],
    ['a gateway answers 504', status(504), {}],
  ] as const)
    it(`are sent again and marked if ${what}, with the same id`, async () => {
      collector.answers.push(answer, ok())
      await open(options)
      put('one')
      await arrived('one')
      marks().should.deepEqual([true])
      const ids = collector.requests.flatMap(recordsOf).map((record) => attribute(record, 'log.record.uid'))
      ids.length.should.equal(2)
      should(ids[0]).equal(ids[1])
    })

  for (const code of [400, 401, 413, 500])
    it(`are not sent again after ${code}, which is reported`, async () => {
      collector.answers.push(status(code), ok())
      await open()
      put('refused', 'too')
      await eventually(() => lost.should.deepEqual([{ count: 2, reason: `HTTP ${code}` }]))
      put('next')
      await arrived('next')
      collector.requests.length.should.equal(2)
    })

  it('that the collector rejects in part are reported and not sent again', async () => {
    collector.answers.push(ok('{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"too old"}}'))
    await open()
    put('one', 'two', 'three')
    await eventually(() => lost.should.deepEqual([{ count: 2, reason: 'too old' }]))
    collector.requests.length.should.equal(1)
    await eventually(() => files().should.be.empty())
  })

  it('that may have arrived when the program was killed are marked; a torn line is left out', async () => {
    await collector.away()
    await open()
    put('one')
    await eventually(() => away.length.should.equal(1))
    await exporter?.close()
    const [name = ''] = files()
    const whole = readFileSync(join(folder, name), 'utf8')
    rmSync(join(folder, name))
    writeFileSync(join(folder, '000000000007.sending'), `${whole}{"body":{"stri`)
    await collector.back()
    await open()
    put('two')
    await arrived('one', 'two')
    marks().should.deepEqual([true, false])
  })

  it('fill no more than the buffer while the collector asks for a long pause', async () => {
    collector.answers.push((response) => response.writeHead(429, { 'retry-after': '3600' }).end())
    await open({ most: 500_000 })
    put('first')
    await eventually(() => should(away).have.length(1))
    for (let number = 0; number < 3000; number++) put(`${number} ${'x'.repeat(500)}`)
    await eventually(() => {
      const bytes = files().reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
      should(bytes).be.below(900_000)
      should(lost.reduce((sum, { count }) => sum + count, 0)).be.above(1000)
    })
    await exporter?.sync()
  })

  it('fill no more than the buffer: the oldest go first, and their number is reported', async () => {
    await collector.away()
    await open({ most: 300_000 })
    const texts = Array.from({ length: 2000 }, (_, index) => `${index} ${'x'.repeat(500)}`)
    for (const text of texts) put(text)
    await eventually(() => lost.length.should.be.above(0))
    const size = files().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    size.should.be.below(600_000)
    await collector.back()
    await eventually(() => should(textsOf(collector.records()).at(-1)).equal(texts.at(-1)), 20_000)
    const came = textsOf(collector.records())
    const dropped = lost.reduce((sum, { count }) => sum + count, 0)
    came.should.deepEqual(texts.slice(dropped))
    came.length.should.be.below(1000)
  })
})
