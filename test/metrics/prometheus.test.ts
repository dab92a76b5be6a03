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

  it('raise the alerts: the first failure of each kind, and a fleet that misses cells or waits', () => {
    const folder = mkdtempSync(join(tmpdir(), 'promtool-'))
    // What an alert says is not compared.
    const rules = readFileSync(monitoring('alerts.yml'), 'utf8').replace(
      /^ +annotations:\n +summary: .*\n/gm,
      '',
    )
    writeFileSync(join(folder, 'alerts.yml'), rules)
    const raised = (name: string, series: readonly string[], labels: string, at = '20m') =>
      [
        '  - interval: 1m',
        '    input_series:',
        ...series.map((line) => `      - { series: '${line.replace(' = ', "', values: '")}' }`),
        '    alert_rule_test:',
        `      - { eval_time: ${at}, alertname: ${name}, exp_alerts: [${labels && `{ exp_labels: ${labels} }`}] }`,
      ].join('\n')
    // One failure after twelve minutes, in series that began at 0; and none.
    const once = '0x12 1x10'
    const none = '0x22'
    const gaps = (values: string) => [`vision_log_gaps_total{device="a"} = ${values}`]
    const lost = (values: string) => [`vision_log_records_lost_total{device="a",reason="disk"} = ${values}`]
    const updates = (values: string) => [
      `vision_firmware_updates_total{device="a",outcome="failed"} = ${values}`,
      'vision_firmware_updates_total{device="a",outcome="updated"} = 0x5 1x20',
    ]
    const cells = (values: string) => [`vision_fleet_cells{centre="hq",seen="no"} = ${values}`]
    const waiting = (values: string) => [
      `vision_fleet_rollouts{centre="hq",state="waits-for-approval"} = ${values}`,
    ]
    const calls = (values: string) => [
      `vision_calls_failed_total{device="a"} = ${values}`,
      'vision_call_duration_seconds_count{device="a"} = 0+1x30',
    ]
    const tests = [
      raised('VisionLogGaps', gaps(once), '{ device: a }'),
      raised('VisionLogGaps', gaps(none), ''),
      raised('VisionLogRecordsLost', lost(once), '{ device: a, reason: disk }'),
      raised('VisionLogRecordsLost', lost(none), ''),
      raised('VisionFirmwareUpdateFailed', updates(once), '{ device: a, outcome: failed }'),
      raised('VisionFirmwareUpdateFailed', updates(none), ''),
      raised('VisionCellsMissing', cells('0x10 1x10'), '{ centre: hq, seen: no }'),
      raised('VisionCellsMissing', cells('0x17 1x10'), ''),
      raised('VisionRolloutWaits', waiting('1x20'), '{ centre: hq, state: waits-for-approval }'),
      raised('VisionRolloutWaits', waiting('0x10 1x10'), ''),
      raised('VisionCallsFail', calls('0x8 0+1x20'), '{ device: a }'),
      raised('VisionCallsFail', calls(none), ''),
    ]
    // YAML takes a bare `no` for a truth value.
    const text = ['rule_files: [alerts.yml]', 'tests:', ...tests]
      .join('\n')
      .replaceAll('seen: no ', "seen: 'no' ")
    writeFileSync(join(folder, 'tests.yml'), text)
    promtool(['test', 'rules', join(folder, 'tests.yml')]).should.match(/SUCCESS/)
    rmSync(folder, { recursive: true, force: true })
  })

  it('begin at 0 for each known outcome, before anything has failed', async () => {
    await eventually(async () => {
      const text = await (await scrape()).text()
      const cell = 'device="Cell 1, \\"left\\""'
      for (const known of [
        `vision_firmware_updates_total{${cell},outcome="failed"} 0`,
        `vision_firmware_updates_total{${cell},outcome="updated"} 0`,
        `vision_log_gaps_total{${cell}} 0`,
        `vision_log_entries_total{${cell},level="FATAL"} 0`,
        'vision_handshake_cycles_total{handshake="Press",code="208"} 0',
        'vision_handshake_cycles_total{handshake="Press",code="299"} 0',
        'vision_handshake_cycles_total{handshake="Press",code="other"} 0',
      ])
        text.split('\n').should.containEql(known)
      // On a busy machine a check may have failed.
      text.should.match(/vision_health_checks_total\{[^}]*,outcome="failed"\} \d/)
      text.should.match(/vision_calls_failed_total\{[^}]*\} \d/)
    })
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
