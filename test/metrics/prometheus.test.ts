import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ModbusRTU from 'modbus-serial'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { promtool, startPrometheus } from '../support/prometheus'
import { root } from '../support/root'

const onTab = { z: 'tab', x: 100, y: 100 }
const token = 'one-token-for-figures-only'
/** Of the password "pw". */
const password = '$2b$04$O9WGcR74VK1mP8vCjWyGSuqTtYBj9U2JlhOL8dp/lIl7kPWkgdq5S'
const adminAuth = { type: 'credentials', users: [{ username: 'admin', password, permissions: '*' }] }

/** What stands in docs for the people who set up Prometheus. */
const monitoring = (name: string) => join(root, 'docs', 'monitoring', name)

describe('metrics for Prometheus', () => {
  let device: VirtualDevice
  let red: NodeRed
  let port: number
  let url: string
  const scrape = (authorization = `Bearer ${token}`) => fetch(url, { headers: { authorization } })

  before(async () => {
    device = await startVirtualDevice({ port: 0 })
    ;[port = 0] = await freePorts(1)
    const poll = {
      ...onTab,
      id: 'poll',
      type: 'inject',
      repeat: '0.2',
      once: true,
      props: [],
      wires: [['get']],
    }
    const get = { ...onTab, type: 'vision-get-parameter', device: 'device', node: 'dev_camera' }
    red = await startNodeRed({
      settings: { adminAuth, httpAdminRoot: '/cell' },
      environment: { VISION_METRICS_TOKEN: token },
      flows: [
        { id: 'tab', type: 'tab', label: 'Cell' },
        {
          ...{ id: 'device', type: 'vision-device-config', name: 'Cell 1, "left"', healthInterval: 0.2 },
          ...{ address: device.url, metricsValues: 'dev_camera.temp_left', metricsInterval: 1 },
        },
        { id: 'plc', type: 'vision-plc-handshake', name: 'Press', family: 'four-phases', port, deadline: 5 },
        { ...onTab, id: 'trigger', type: 'vision-plc-trigger', handshake: 'plc', wires: [['result'], []] },
        { ...onTab, id: 'result', type: 'vision-plc-result', wires: [[], []] },
        poll,
        { ...get, id: 'get', parameter: 'fps', wires: [['wrong']] },
        { ...get, id: 'wrong', parameter: 'nonsense', wires: [[]] },
        {
          ...onTab,
          id: 'stream',
          type: 'vision-stream-receive',
          device: 'device',
          stream: 'imu',
          wires: [[], []],
        },
        {
          ...onTab,
          id: 'logs',
          type: 'vision-log-watch',
          device: 'device',
          start: 'last',
          last: 5,
          wires: [[], []],
        },
      ],
    })
    url = `${red.url}/vision-devices/metrics`
  })
  after(async () => {
    await red.stop()
    await device.stop()
  })

  it('open to the token only', async () => {
    should((await scrape()).status).equal(200)
    for (const wrong of ['', 'Bearer', `Bearer ${token}x`, `Basic ${token}`])
      should([400, 401].includes((await scrape(wrong)).status)).be.true(wrong)
    // It opens nothing else.
    const states = await fetch(`${red.url}/vision-devices/states`, {
      headers: { authorization: `Bearer ${token}` },
    })
    should(states.status).equal(401)
  })

  it('pass the checks of promtool, as does everything in docs/monitoring', async () => {
    promtool(['check', 'metrics'], await (await scrape()).text())
    const folder = mkdtempSync(join(tmpdir(), 'promtool-'))
    for (const name of ['prometheus.yml', 'alerts.yml']) copyFileSync(monitoring(name), join(folder, name))
    writeFileSync(join(folder, 'vision-metrics-token'), token)
    promtool(['check', 'config', join(folder, 'prometheus.yml')]).should.match(/SUCCESS/)
    rmSync(folder, { recursive: true, force: true })
  })

  it('are scraped, with triggers, calls, a stream, logs and a temperature of a running cell', async () => {
    const file = readFileSync(monitoring('prometheus.yml'), 'utf8')
      .replace(/targets: .*/, `targets: ['${new URL(red.url).host}']`)
      .replace('metrics_path: /', 'metrics_path: /cell/')
      .replace('scrape_interval: 10s', 'scrape_interval: 1s')
    const prometheus = await startPrometheus(file, {
      'vision-metrics-token': token,
      'alerts.yml': readFileSync(monitoring('alerts.yml'), 'utf8'),
    })
    const plc = new ModbusRTU()
    try {
      await eventually(() => plc.connectTCP('127.0.0.1', { port }))
      await plc.writeRegister(0, 0)
      await plc.writeRegister(0, 1)
      const cell = 'device="Cell 1, \\"left\\""'
      const wanted: Record<string, number | ((value: number) => boolean)> = {
        [`vision_device_up{${cell}}`]: 1,
        [`vision_calls_total{${cell},operation="getParameter",outcome="ok"}`]: (value) => value > 3,
        [`vision_calls_total{${cell},operation="getParameter",outcome="NOT_FOUND"}`]: (value) => value > 3,
        [`vision_temperature_celsius{${cell},value="temp_left"}`]: (value) => value > 0 && value < 100,
        [`vision_stream_messages_total{${cell},stream="imu"}`]: (value) => value > 100,
        [`vision_stream_rate_hertz{${cell}}`]: (value) => value > 10,
        [`sum(vision_log_entries_total{${cell}})`]: (value) => value > 0,
        'vision_handshake_up{handshake="Press"}': 1,
        'vision_handshake_triggers_total{handshake="Press"}': 1,
        'vision_handshake_cycles_total{handshake="Press",code="0"}': 1,
        'vision_handshake_reaction_seconds_count{handshake="Press"}': 1,
        'vision_handshake_cycle_seconds_count{handshake="Press"}': 1,
        'sum(vision_handshake_missed_total)': 0,
        'count(vision_build_info)': 1,
      }
      for (const [query, expected] of Object.entries(wanted))
        await eventually(async () => {
          const [{ value } = { value: NaN }, ...more] = await prometheus.query(query)
          const fits = typeof expected === 'number' ? value === expected : expected(value)
          if (!fits || more.length) throw new Error(`${query} is ${value}`)
        })
      should(await prometheus.targets()).match([{ health: 'up', lastError: '' }])
      const [{ value: series } = { value: NaN }] = await prometheus.query(`count({${cell}})`)
      should(series).be.within(20, 50)
    } finally {
      plc.close(() => undefined)
      await prometheus.stop()
    }
  })
})
