// npm run demo:fleet: two cells and a centre, each a Node-RED, with Mosquitto and Prometheus, on 127.0.0.1. Rolls out
// parameters, then firmware, while one cell is killed and disconnected; stays open until Ctrl+C, or ends with --end.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { layCable } from './demo/fleet/cable.mjs'
import { serveFile } from './demo/fleet/file-server.mjs'
import { cellFlow, centreFlow } from './demo/fleet/flows.mjs'
import {
  DemoEnded,
  freePorts,
  missingPrograms,
  startBroker,
  startNodeRed,
  startPrometheus,
  until,
} from './demo/fleet/programs.mjs'

const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)))
const require = createRequire(import.meta.url)
const plant = 'north'
const cells = ['cell-1', 'cell-2']
const names = ['left', 'right']
/** Change the device. */
const inTheMiddle = ['upload', 'write', 'reboot', 'verify']

const unknown = process.argv.slice(2).filter((arg) => arg !== '--end')
if (unknown.length) {
  console.error(
    `The demo does not know ${unknown.join(' ')}. It knows one option: npm run demo:fleet -- --end`,
  )
  process.exit(2)
}
const missing = missingPrograms()
if (missing.length) {
  console.error(
    `Not installed: ${missing.join(' and ')}. Install with: sudo apt-get install ${missing.join(' ')}`,
  )
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'cellsight-fleet-'))
const running = []
let stopping
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void end(0))
try {
  await play()
  if (process.argv.includes('--end')) await end(0)
  else say('ready. Open the editors above. Ctrl+C stops everything.')
} catch (error) {
  if (!stopping) console.error(error instanceof DemoEnded ? `\n${error.message}` : explained(error))
  await end(1)
}

async function play() {
  const [brokerPort, prometheusPort, centrePort, ...cellPorts] = await freePorts(3 + cells.length)
  const { startVirtualDevice } = require('../dist/virtual-device')
  const { writeArtifact } = require('../dist/virtual-device/firmware/artifact')
  const file = join(folder, 'v2.0.0.bin')
  await writeArtifact(file, { version: 'v2.0.0', size: 2_000_000 })
  const server = keep(await serveFile(file))
  keep(await startBroker(folder, brokerPort))

  say('starting four virtual devices, two cells and a centre …')
  const devices = {}
  for (const [index, cell] of cells.entries())
    for (const [place, name] of names.entries())
      devices[`${plant}/${cell}/${name}`] = keep(
        await startVirtualDevice({
          ...{ port: 0, seed: 1 + 2 * index + place },
          scenario: { boot_seconds: 3, boot_502_seconds: 1, update_seconds: 1 },
        }),
      )
  const cables = {}
  for (const cell of cells) cables[cell] = keep(await layCable(brokerPort))
  const reds = {}
  const started = [
    ...cells.map((cell, index) => ({
      ...{ name: cell, port: cellPorts[index] },
      flows: cellFlow({
        ...{ plant, cell, brokerPort: cables[cell].port, source: server.host },
        devices: Object.fromEntries(names.map((name) => [name, devices[`${plant}/${cell}/${name}`].url])),
      }),
    })),
    { name: 'centre', port: centrePort, flows: centreFlow({ root, brokerPort }) },
  ]
  await Promise.all(
    started.map(async (one) => {
      reds[one.name] = keep(await startNodeRed({ root, folder, ...one }))
    }),
  )
  const prometheus = keep(
    await startPrometheus(
      folder,
      prometheusPort,
      cellPorts.map((port) => `127.0.0.1:${port}`),
      readFileSync(join(root, 'docs', 'monitoring', 'prometheus.yml'), 'utf8'),
    ),
  )
  for (const [name, { url }] of Object.entries(reds)) console.log(`  ${name.padEnd(11)} ${url}`)
  console.log(`  ${'Prometheus'.padEnd(11)} ${prometheus.url}`)
  console.log(`  ${'broker'.padEnd(11)} mqtt://127.0.0.1:${brokerPort}`)

  const order = orders(reds.centre.url)
  await until(async () => (await order('list')).length === 4, 'until the centre knows all devices')
  for (const { address, serial, firmware, link } of await order('list'))
    console.log(`  ${address}  ${serial}  ${firmware}  ${link}`)
  say('the centre knows four devices.')

  const where = { plant }
  const parameters = { dev_camera: { fps: 10 } }
  const first = await until(
    () => order('rollout', { do: 'set-parameters', args: { parameters }, where }),
    'beginning a rollout',
  )
  await approved(order, first.id)
  show(await ended(order, first.id))

  say('updating the firmware: one device first, then, after an approval, the others.')
  const args = { artifact: server.artifact, version: 'v2.0.0' }
  const { id } = await order('rollout', { do: 'update-firmware', args, where, wave: 3, stopAfter: 4 })
  await approved(order, id)
  await until(async () => {
    const { devices: rows } = await order('report', undefined, id)
    const own = rows.filter(({ address }) => isOf('cell-2', address))
    // After its restart, a cell refuses what it had not started.
    const isBegun = ({ state, phase }) => phase !== undefined || !['waiting', 'working'].includes(state)
    return own.every(isBegun) && own.some(({ phase }) => inTheMiddle.includes(phase))
  }, 'until cell-2 updates its devices')
  await reds['cell-2'].kill()
  cables['cell-2'].pull()
  say('cell-2 was killed in the middle of its updates, and unplugged from the broker.')
  await until(
    async () => (await order('list', { problem: true, cell: 'cell-2' })).length === 2,
    'until the centre notices that cell-2 is gone',
  )
  await until(async () => (await prometheus.value('sum(up{job="vision"})')) === 1, 'until Prometheus notices')
  say('the centre shows cell-2 as gone, and waits; Prometheus shows it too.')
  await reds['cell-2'].start()
  say('cell-2 runs again, still unplugged: it continues by its journal, without broker and centre.')
  const own = Object.entries(devices).filter(([address]) => isOf('cell-2', address))
  await until(
    async () =>
      (await Promise.all(own.map(([, { url }]) => versionOf(url)))).every((one) => one === 'v2.0.0'),
    'until cell-2 has updated its devices',
  )
  const { state, done } = await order('report', undefined, id)
  say(`cell-2 has updated both devices; the centre cannot know it yet: ${state}, ${done} done.`)
  cables['cell-2'].plug()
  say('cell-2 is plugged in again, and tells what became of its jobs.')
  const report = await ended(order, id)
  show(report)

  for (const [address, { url, calls }] of Object.entries(devices)) {
    const reboots = calls().filter(({ operation, status }) => operation === 'reboot' && status === 200)
    const version = await versionOf(url)
    console.log(
      `  ${address} runs ${version} after ${reboots.length} restart${reboots.length === 1 ? '' : 's'}`,
    )
  }
  await until(
    async () => (await prometheus.value('sum(vision_device_up)')) === 4,
    'until Prometheus sees all',
  )
  say(`everything has ended as the guide says: ${summary(report)}.`)
}

/** Unexpected: a fault of the demo or of this project. */
function explained(error) {
  return `\nThe demo cannot go on: ${error.message}\nNothing is left running. Run it again; if it ends so again, report this:\n${error.stack?.split('\n')[1]?.trim() ?? ''}`
}

async function versionOf(url) {
  const { firmware } = await (await fetch(`${url}/api/v2/system`)).json()
  return firmware.active_image.image_version
}

/** @throws Error with the sentence from Catch */
function orders(url) {
  return async (action, payload, rollout) => {
    const answer = await fetch(`${url}/order`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action, payload, rollout }),
      signal: AbortSignal.timeout(60_000),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return JSON.parse(text)
  }
}

async function approved(order, id) {
  await until(
    async () => (await order('report', undefined, id)).state === 'waits-for-approval',
    'until the first wave has ended',
  )
  say('the first device is done; the next wave is approved.')
  await order('approve', undefined, id)
}

function ended(order, id) {
  return until(
    async () => {
      const report = await order('report', undefined, id)
      return report.state === 'ended' && report
    },
    'until the rollout has ended',
    300_000,
  )
}

function show(report) {
  say(`${report.do} has ended: ${summary(report)}.`)
  for (const { address, state, code, text } of report.devices)
    console.log(`  ${address}  ${state}${code ? ` ${code}` : ''}${text ? `: ${text}` : ''}`)
}

function summary({ done, failed, unknown: open, notReached, skipped }) {
  return `${done} done, ${failed} failed, ${open} unknown, ${notReached} not reached, ${skipped} skipped`
}

function isOf(cell, address) {
  return address.startsWith(`${plant}/${cell}/`)
}

function say(text) {
  console.log(`${new Date().toTimeString().slice(0, 8)}  ${text}`)
}

function keep(one) {
  running.unshift(one)
  return one
}

function end(code) {
  stopping ??= (async () => {
    for (const one of running) await Promise.resolve(one.stop()).catch(() => undefined)
    rmSync(folder, { recursive: true, force: true })
    process.exit(code)
  })()
  return stopping
}
