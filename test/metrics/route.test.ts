import helper from 'node-red-node-test-helper'
import should from 'should'
import { useAdmin } from '../support/admin'
import { onTab, useBench } from '../support/bench'
import { eventually } from '../support/eventually'

/** The value of a series in the text, undefined if it is not there. */
export const valueIn = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

describe('GET /vision-devices/metrics', () => {
  const get = { type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' }
  const bench = useBench(get, {
    config: { name: 'Cell "1"', healthInterval: 0.1 },
    flow: [
      { id: 'twin', type: 'vision-device-config', name: 'Cell "1"', address: '127.0.0.1:9' },
      {
        ...{ ...onTab, id: 'status', type: 'vision-get-status', device: 'device' },
        ...{ node: 'dev_camera', wires: [['read']] },
      },
      { ...onTab, id: 'read', type: 'helper', wires: [] },
    ],
  })
  const admin = useAdmin()
  const text = async () => (await admin.get('vision-devices/metrics')).body as string
  const own = 'device="Cell \\"1\\""'
  const value = async (name: string, labels = '') =>
    valueIn(await text(), `${name}{${own}${labels && ','}${labels}}`)

  it('is in the text format, and each series is there once', async () => {
    await bench.state('ready')
    const { status, headers, body } = await admin.get('vision-devices/metrics')
    status.should.equal(200)
    should(headers.get('content-type')).equal('text/plain; version=0.0.4; charset=utf-8')
    const series = (body as string)
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => line.slice(0, line.lastIndexOf(' ')))
    should(new Set(series).size).equal(series.length)
    series.filter((each) => each.includes(own)).length.should.be.within(15, 50)
  })

  it('tells devices with the same name apart by the id, and is silent about one that no node uses', async () => {
    const all = await text()
    should(valueIn(all, 'vision_device_state{device="Cell \\"1\\" (twin)",state="unwatched"}')).equal(1)
    all.should.not.match(/vision_device_up\{device="Cell \\"1\\" \(twin\)"/)
  })

  it('has the link, and what the device says of itself', async () => {
    await bench.state('ready')
    should(await value('vision_device_up')).equal(1)
    should(await value('vision_device_state', 'state="ready"')).equal(1)
    should(await value('vision_device_uptime_seconds')).be.above(0)
    should(await value('vision_device_firmware_fallback')).equal(0)
    should(await value('vision_device_last_answer_timestamp_seconds')).be.approximately(Date.now() / 1000, 60)
    const checks = (await value('vision_health_checks_total', 'outcome="ok"')) ?? 0
    await eventually(async () =>
      should(await value('vision_health_checks_total', 'outcome="ok"')).be.above(checks),
    )
    const { serial } = (await (await fetch(`${bench.device.url}/api/v2/system`)).json()) as { serial: string }
    ;(await text()).should.match(
      new RegExp(
        `vision_device_info\\{device="[^}]*,address="${bench.device.url}/?"[^}]*,serial="${serial}"\\} 1`,
      ),
    )
  })

  it('counts calls by operation and outcome, with their durations', async () => {
    await bench.send()
    await bench.send()
    const ok = 'operation="getParameter",outcome="ok"'
    const before = (await value('vision_calls_total', ok)) ?? 0
    const count = (await value('vision_call_duration_seconds_count')) ?? 0
    await bench.send()
    should(await value('vision_calls_total', ok)).equal(before + 1)
    should(await value('vision_call_duration_seconds_count')).equal(count + 1)
    await bench.deploy({ parameter: 'nonsense' })
    await bench.state('ready')
    await bench.send().should.be.rejectedWith({ code: 'NOT_FOUND' })
    should(await value('vision_calls_total', 'operation="getParameter",outcome="NOT_FOUND"')).equal(1)
  })

  it('has the status values that a node has read, temperatures apart', async () => {
    should(await text()).not.match(/vision_temperature_celsius\{/)
    bench.helperNode('status').receive({})
    await eventually(async () => {
      const place = 'pipeline="0",node="dev_camera",value='
      should(await value('vision_temperature_celsius', `${place}"temp_left"`)).be.within(0, 100)
      should(await value('vision_status_value', `${place}"baseline"`)).be.within(0.01, 1)
    })
  })

  it('sends the device nothing', async () => {
    await bench.state('ready')
    const others = () => bench.device.calls().filter(({ operation }) => operation !== 'getSystem').length
    const before = others()
    for (let scrape = 0; scrape < 20; scrape++) await text()
    others().should.equal(before)
  })

  it('says that the device is away', async () => {
    await bench.device.stop()
    await eventually(async () => {
      should(await value('vision_device_up')).equal(0)
      should(await value('vision_device_state', 'state="unreachable"')).equal(1)
      should(await value('vision_health_checks_total', 'outcome="failed"')).be.above(0)
    })
  })
})

describe('values of the device that are chosen for the metrics', () => {
  const chosen = 'xy_camera.temp_left, 0/dev_camera.temp_right, dev_nothing.fps, dev_camera.nonsense'
  const bench = useBench(
    { type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' },
    { config: { name: 'Cell', metricsValues: chosen, metricsInterval: 1 } },
  )
  const admin = useAdmin()

  it('are read as soon as the device is ready, and again after the interval, by the own names', async () => {
    const reads = () => bench.device.calls().filter(({ operation }) => operation === 'getNodeStatus').length
    const text = async () => (await admin.get('vision-devices/metrics')).body as string
    const place = 'device="Cell",pipeline="0",node="dev_camera",value='
    await eventually(async () => {
      const now = await text()
      for (const name of ['temp_left', 'temp_right'])
        should(valueIn(now, `vision_temperature_celsius{${place}"${name}"}`)).be.within(0, 100)
    })
    const before = reads()
    await eventually(() => reads().should.be.above(before))
    const now = await text()
    now.should.not.match(/nonsense|dev_nothing|baseline/)
    // They are no calls of the flow.
    now.should.not.match(/getNodeStatus/)
  })
})

describe('a list of values that is not one', () => {
  const bench = useBench(
    { type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' },
    { config: { metricsValues: 'temperature' } },
  )

  it('is reported, and the device works all the same', async () => {
    await bench.state('ready')
    JSON.stringify(helper.log().args).should.match(/The values for the metrics cannot be read/)
    should((await bench.send()).payload).be.a.Number()
  })
})
