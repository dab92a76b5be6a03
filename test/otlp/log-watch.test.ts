import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import helper from 'node-red-node-test-helper'
import should from 'should'
import { headersOf, logsAddress } from '../../nodes/log-watch/collector'
import { useBench } from '../support/bench'
import { eventually } from '../support/eventually'
import { attribute, startCollector, textsOf, type TestCollector } from './collector'

describe('log-watch with a collector', () => {
  let collector: TestCollector
  const fields = { type: 'vision-log-watch', shortest: 0.1, longest: 0.1, otlpEndpoint: '', start: 'kept' }
  const userDir = mkdtempSync(join(tmpdir(), 'cellsight-otlp-'))
  before(async () => {
    collector = await startCollector()
    fields.otlpEndpoint = collector.url
  })
  const bench = useBench(fields, {
    config: { name: 'Cell 1' },
    credentials: { test: { otlpHeaders: 'Authorization=Bearer%20s3cret,X-Scope=plant' } },
    settings: () => ({ userDir }),
  })
  after(async () => {
    await collector.away()
    rmSync(userDir, { recursive: true, force: true })
  })

  const outputs: string[] = []
  const listen = () =>
    bench
      .helperNode('out0')
      .on('input', ({ payload }) => outputs.push((payload as { message: string }).message))
  const write = async (fps: number) => {
    const url = `${bench.device.url}/api/v2/pipelines/0/nodes/dev_camera/parameters/fps`
    const answer = await fetch(url, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ value: fps }),
    })
    should(answer.status).equal(200)
  }
  /** Each entry that the flow got is at the collector too, once and in order. */
  const both = (count: number) =>
    eventually(() => {
      outputs.length.should.be.aboveOrEqual(count)
      textsOf(collector.records()).should.deepEqual(outputs)
    }, 20_000)

  it('sends each entry to the flow and to the collector, with the headers and what it is of', async () => {
    listen()
    await bench.status('following')
    for (const fps of [10, 11, 12]) await write(fps)
    await both(3)
    const [request] = collector.requests
    should(request?.path).equal('/v1/logs')
    should(request?.headers).match({ authorization: 'Bearer s3cret', 'x-scope': 'plant' })
    should(request?.body.resourceLogs[0]?.resource.attributes).containEql({
      key: 'service.instance.id',
      value: { stringValue: 'Cell 1' },
    })
    const [record] = collector.records()
    should(record && attribute(record, 'vision.log')).be.a.String()
    should(record?.timeUnixNano).match(/^\d{19}$/)
  })

  it('keeps entries while the collector is away, also over a deploy, and sends them once', async () => {
    await collector.away()
    await write(13)
    await eventually(() => outputs.length.should.be.aboveOrEqual(4))
    await bench.status('waitsForCollector')
    await bench.deploy()
    listen()
    await bench.status('waitsForCollector')
    await write(14)
    await collector.back()
    await both(5)
    await bench.status('following')
    const folder = join(userDir, 'vision-logs', 'test', 'otlp')
    await eventually(() => readdirSync(folder).should.be.empty())
  })

  it('tells an invalid address, without the headers', async () => {
    await bench.deploy({ otlpEndpoint: 'ftp://collector' })
    await bench.status('INVALID_INPUT')
    JSON.stringify(helper.log().args).should.not.match(/s3cret/)
  })
})

describe('the settings for a collector', () => {
  it('append the path for logs to an address without a path', () => {
    should(logsAddress('http://collector:4318')).equal('http://collector:4318/v1/logs')
    should(logsAddress('https://collector/')).equal('https://collector/v1/logs')
    should(logsAddress('https://gateway/otlp/logs')).equal('https://gateway/otlp/logs')
    for (const wrong of ['', 'collector:4318', 'ftp://collector', 'http://user:secret@collector'])
      should(logsAddress(wrong)).be.undefined()
  })

  it('take headers as the variable of OpenTelemetry has them', () => {
    should(headersOf('')).eql({})
    should(headersOf(' Authorization=Bearer%20a%3Db , X-Scope=1')).eql({
      Authorization: 'Bearer a=b',
      'X-Scope': '1',
    })
    for (const wrong of [
      'Authorization',
      '=x',
      'a=',
      'a=%0d%0ab',
      'a=%',
      'a b=c',
      'Content-Type=x',
      'Host=x',
    ])
      should(headersOf(wrong)).be.undefined()
  })
})
