import should from 'should'
import type { Page } from 'playwright-core'
import { MqttCell } from '../../bench/support/mqtt-cell'
import type { Ending } from '../../lib/fleet/agent/agent'
import { eventually } from '../support/eventually'
import { exampleNodes, type FlowNode } from '../support/example'
import { freePorts } from '../support/free-ports'
import { newBroker, type TestBroker } from '../support/mosquitto'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { dashboardPackage, login, photograph, screens, type Screen } from './support/dashboard'
import { runPanel, type RunningPanel } from './support/operator-example'
import { sendRaw } from './support/raw-socket'
import { fitsWidth, forFingers } from './support/touch'
import { usePages } from './support/use-pages'

/** Cells are seen a second or two after a start, and orders are given a little later. */
const patience = 30_000

const widget = (page: Page, id: string) => page.locator(`#nrdb-ui-widget-opfleet-${id}`)
const shows = (page: Page, id: string, text: RegExp | string) =>
  widget(page, id).filter({ hasText: text }).waitFor({ timeout: patience })
const buttonOf = (page: Page, name: string | RegExp) => widget(page, 'buttons').getByRole('button', { name })
const visibleButtons = (page: Page) => page.getByRole('button').filter({ visible: true })
const devicesOf = (page: Page) => widget(page, 'map').locator('.vision-device').allInnerTexts()

/** What a device of the simulated cell waits for before it obeys. */
class Gate {
  readonly #waiting: (() => void)[] = []
  isClosed = false

  pass(): Promise<Ending> {
    return new Promise((resolve) => {
      const go = () => resolve({ state: 'done' })
      if (this.isClosed) this.#waiting.push(go)
      else go()
    })
  }

  open(): void {
    this.isClosed = false
    for (const go of this.#waiting.splice(0)) go()
  }
}

/** The flow of a cell with a real agent and a virtual device, which can be unplugged. */
function cellFlow(port: number, device: number): FlowNode[] {
  const text = JSON.stringify(exampleNodes('cell-agent'))
    .replaceAll('1883', String(port))
    .replaceAll('8196', String(device))
  const plug = (id: string, offline: boolean) => ({
    ...{ id, type: 'inject', z: 'agent-tab', props: [{ p: 'payload' }], payloadType: 'json', x: 0, y: 0 },
    ...{ payload: JSON.stringify({ offline }), wires: [['agent-virtual-device']] },
  })
  const stale = {
    ...{ id: 'stale', type: 'inject', z: 'opfleet', topic: 'approve', payloadType: 'date', x: 0, y: 0 },
    ...{ props: [{ p: 'topic', vt: 'str' }], wires: [['opfleet-page-node']] },
  }
  return [...(JSON.parse(text) as FlowNode[]), plug('cable-out', true), plug('cable-in', false), stale]
}

/** The example in a Node-RED that has a cell too, a second cell with two devices, and Mosquitto between them. */
function useFleet(settings: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, object>>) {
  const gate = new Gate()
  let red: NodeRed
  let panel: RunningPanel
  let broker: TestBroker
  let other: MqttCell
  let device: number

  before(async () => {
    const [port = 0, free = 0] = await freePorts(2)
    device = free
    broker = await newBroker(undefined, { port })
    await broker.start()
    red = await startNodeRed({ ...dashboardPackage, settings: { mqttReconnectTime: 500, ...settings } })
    other = new MqttCell({
      ...{ root: 'vision', plant: 'north', cell: 'cell-0', port, every: 20, devices: ['left', 'right'] },
      execute: ({ device: named }) => (named === 'right' ? gate.pass() : Promise.resolve({ state: 'done' })),
    })
    await other.start()
    const own = { 'opfleet-broker': { port: String(port) } }
    panel = await runPanel(red, 'operator-fleet', [1883], { ...own, ...fields }, cellFlow(port, device))
  })
  after(async () => {
    await other.close()
    await red.stop()
    await broker.stop()
  })

  const page = usePages({
    red: () => red,
    path: 'fleet',
    isThere: (page) => shows(page, 'state', /(Devices|Geräte): 3/),
  })
  return {
    ...{ page, gate },
    get red() {
      return red
    },
    get panel() {
      return panel
    },
    get other() {
      return other
    },
    get device() {
      return device
    },
  }
}

describe('the page of the fleet as imported', () => {
  const run = useFleet({}, {})

  it('shows plants, cells and devices, and on top the device that cannot be reached', async () => {
    const page = await run.page()
    await shows(page, 'state', 'Cells: 2 · Devices: 3 · With a problem: 0')
    await shows(page, 'state', /centre-1 is in control/)
    await eventually(async () =>
      should((await devicesOf(page)).map((text) => text.split(/\s/)[0])).deepEqual(['left', 'right', 'left']),
    )
    const cells = widget(page, 'map').locator('.vision-cell h4')
    should(await cells.allInnerTexts()).deepEqual(['cell-0', 'cell-1'])
    await run.panel.press('cable-out')
    await shows(page, 'state', 'With a problem: 1')
    await shows(page, 'map', /Devices: 3 · With a problem: 1/)
    should(await cells.allInnerTexts()).deepEqual(['cell-1', 'cell-0'])
    should((await devicesOf(page))[0]).match(/^left[^]*device does not answer$/)
    should(await widget(page, 'map').locator('.vision-device').first().getAttribute('class')).match(/level-2/)
  })

  it('says that a cell is gone when its connection breaks', async () => {
    const page = await run.page()
    run.other.cut()
    await shows(page, 'state', /Cells: 2, not seen: 1 · Devices: 3 · With a problem: 3/)
    await shows(page, 'map', /cell not connected/)
    run.other.heal()
    await shows(page, 'state', 'With a problem: 1')
  })

  it('shows the same after a reload', async () => {
    const page = await run.page()
    const before = await widget(page, 'map').innerText()
    await page.reload()
    await eventually(async () => should(await widget(page, 'map').innerText()).equal(before), patience)
    await shows(page, 'rollout', 'No rollout yet')
  })

  it('has no buttons', async () => {
    const page = await run.page()
    await shows(page, 'rollout', 'No rollout yet')
    should(await visibleButtons(page).count()).equal(0)
  })

  for (const screen of Object.keys(screens) as Screen[])
    it(`needs no more than the width of the screen: ${screen}`, async () => {
      const page = await run.page({ screen })
      await shows(page, 'map', /device does not answer/)
      await fitsWidth(page)
    })

  it('speaks German when one setting of one node is changed', async () => {
    await run.panel.change({ 'opfleet-page-node': { language: 'de' } })
    const page = await run.page()
    await shows(page, 'state', /Zellen: 2 · Geräte: 3 · Mit Problem: \d/)
    await shows(page, 'map', /cell-0[^]*kein Problem/)
    await shows(page, 'rollout', 'Noch kein Rollout')
    await run.panel.press('cable-out')
    await shows(page, 'map', /Gerät antwortet nicht/)
    for (const id of ['state', 'map', 'rollout'])
      should(await widget(page, id).innerText()).not.match(/\b(Devices|problem|gives|rollout yet)\b/)
  })
})

describe('the page of the fleet in a Node-RED with a login', () => {
  const run = useFleet(login.settings, { 'opfleet-permission': { allowed: true } })
  const frameRate = async () => {
    const path = '/api/v2/pipelines/0/nodes/dev_camera/parameters/fps'
    const answer = await fetch(`http://127.0.0.1:${run.device}${path}`)
    return ((await answer.json()) as { value: number }).value
  }
  const isReady = (page: Page) =>
    eventually(
      async () => should(await buttonOf(page, 'Start: Frame rate 10').isEnabled()).be.true(),
      patience,
    )

  it('refuses an order over the socket of somebody who has not logged in', async () => {
    const page = await run.page({ isLoggedIn: true })
    await isReady(page)
    const order = { topic: 'start', plan: 'Frame rate 10' }
    for (const pretended of [order, { ...order, _client: { socketId: 'x', 'opened with a login': true } }]) {
      const isIn = await sendRaw(`${run.red.url}/dashboard`, 'widget-send', 'opfleet-buttons', pretended)
      should(isIn).be.false()
    }
    await shows(page, 'rollout', 'No rollout yet')
    should(await frameRate()).equal(25)
  })

  it('rolls out for fingers: start, approval, progress through a reload, and the true end', async () => {
    const page = await run.page({ isLoggedIn: true })
    await isReady(page)
    run.gate.isClosed = true
    await buttonOf(page, 'Start: Frame rate 10').tap()
    await buttonOf(page, 'Cancel').tap()
    await buttonOf(page, 'Start: Frame rate 10').tap()
    await buttonOf(page, 'Start now').tap()
    await shows(page, 'rollout', /Frame rate 10[^]*wave 2 of 2 waits for approval[^]*1 done[^]*2 pending/)
    await buttonOf(page, 'Approve next wave').tap()
    await buttonOf(page, 'Approve now').tap()
    await shows(page, 'rollout', /wave 2 of 2, 66 %[^]*2 done[^]*1 in progress/)
    should(await frameRate()).equal(10)
    await run.panel.press('cable-out')
    await shows(page, 'map', /device does not answer/)
    await photograph(page, 'operator-fleet')
    await page.reload()
    await shows(page, 'rollout', /wave 2 of 2, 66 %/)
    const bar = widget(page, 'rollout').getByRole('progressbar')
    should(await bar.getAttribute('aria-valuenow')).equal('66')
    await run.panel.press('cable-in')
    run.gate.open()
    await shows(page, 'rollout', /ended: 3 done, 0 failed, 0 unknown, 0 not reached, 0 skipped/)
    await isReady(page)
  })

  it('pauses, goes on and stops', async () => {
    const page = await run.page({ isLoggedIn: true })
    await isReady(page)
    run.gate.isClosed = true
    await buttonOf(page, 'Start: Backups of all devices').tap()
    await buttonOf(page, 'Start now').tap()
    await shows(page, 'rollout', /Backups of all devices[^]*wave 1 of 2/)
    await buttonOf(page, 'Pause').tap()
    await shows(page, 'rollout', /paused in wave 1 of 2/)
    await buttonOf(page, 'Resume').tap()
    await shows(page, 'rollout', /wave 1 of 2, \d+ %/)
    await buttonOf(page, 'Stop').tap()
    await shows(page, 'rollout', /stopping, 1 devices in progress/)
    run.gate.open()
    await shows(page, 'rollout', /ended: 2 done, 0 failed, 0 unknown, 0 not reached, 1 skipped/)
  })

  it('says why an order was refused, and orders nothing from a page that shows something else', async () => {
    const page = await run.page({ isLoggedIn: true })
    await isReady(page)
    await run.panel.press('stale')
    await shows(page, 'state', /Last order: Nothing was ordered, because the rollout has changed/)
  })

  for (const screen of Object.keys(screens) as Screen[])
    it(`has buttons for fingers: ${screen}`, async () => {
      const page = await run.page({ isLoggedIn: true, screen })
      await isReady(page)
      should(await forFingers(visibleButtons(page))).equal(2)
      await fitsWidth(page)
    })

  it('is in German too', async () => {
    await run.panel.change({ 'opfleet-page-node': { language: 'de' } })
    const page = await run.page({ isLoggedIn: true, screen: 'wide' })
    await buttonOf(page, 'Starten: Frame rate 10').waitFor()
    await shows(page, 'rollout', /beendet: 2 erledigt[^]*2 erledigt[^]*sichern/)
  })
})
