import should from 'should'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { cellOf, type CellRegisters } from './support/cell-registers'
import { dashboardPackage, photograph } from './support/dashboard'
import { runPanel, type RunningPanel } from './support/operator-example'
import { usePages } from './support/use-pages'

/** Milliseconds in which a person at the cell has to see the cause. */
const aMinute = 60_000

interface Fault {
  /** Of the virtual device, as its page /virtual/ switches it. */
  wrong: object
  right: object
  /** What the page says of the cause, and what to do. */
  cause: RegExp
  remedy: RegExp
}

const faults: Readonly<Record<string, Fault>> = {
  'a device without power or cable': {
    wrong: { offline: true },
    right: { offline: false },
    cause: /The device does not answer|The cell gets no answer/,
    remedy: /Check its power and network cable|Check power and network cable/i,
  },
  'a missing licence': {
    wrong: { license: { stereo: false } },
    right: { license: { stereo: true } },
    cause: /no valid license: the component stereo is missing/,
    remedy: /Check that .*licen[cs]e/,
  },
  'a closed port of the images': {
    wrong: { image_stream: 'closed' },
    right: { image_stream: 'ok' },
    cause: /cannot receive images, because port \d+ could not be reached/,
    remedy: /Check that the device is switched on, and the image port/,
  },
  'a camera that is not ready': {
    wrong: { stale_nodes: ['camera'] },
    right: { stale_nodes: [] },
    cause: /no images: the node camera is not ready/,
    remedy: /Correct the cause/,
  },
  'a network that is far too slow': {
    wrong: { latency_ms: 8000 },
    right: { latency_ms: 0 },
    cause: /The device was too slow/,
    remedy: /Check its quality and exposure, and the load of the network/,
  },
}

describe('a fault at the cell', function () {
  this.timeout(4 * aMinute)
  let red: NodeRed
  let panel: RunningPanel
  let plc: CellRegisters

  before(async () => {
    red = await startNodeRed(dashboardPackage)
    // The PLC of this test is the only one.
    panel = await runPanel(red, 'operator-panel', [8211, 8212, 1611], {
      'oppanel-part': { repeat: '', once: false },
      'oppanel-virtual-plc': { d: true },
    })
    plc = await eventually(() => cellOf(panel.port(1611)))
  })
  after(async () => {
    await plc.close()
    await red.stop()
  })
  const open = usePages({
    red: () => red,
    path: 'cell',
    isThere: (page) => page.locator('#nrdb-ui-widget-oppanel-state').waitFor(),
  })

  const happens = async (changes: object) => {
    const answer = await fetch(`http://127.0.0.1:${panel.port(8211)}/virtual/scenario`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(changes),
    })
    should(answer.status).equal(200)
  }
  const text = async (page: Page, ...ids: string[]) =>
    (await Promise.all(ids.map((id) => page.locator(`#nrdb-ui-widget-oppanel-${id}`).innerText()))).join(' ')
  const runsAgain = (page: Page) =>
    eventually(async () => {
      should(await plc.cycle()).equal(0)
      should(await text(page, 'state')).match(/Ready|Done/)
      should(await text(page, 'last')).match(/done, \d+ found/)
      should(await text(page, 'reason')).not.match(/failed/)
    }, aMinute)

  for (const [name, { wrong, right, cause, remedy }] of Object.entries(faults))
    it(`is told with what to do, and forgotten when it is mended: ${name}`, async () => {
      const page = await open()
      await runsAgain(page)
      await happens(wrong)
      await eventually(async () => {
        should(await plc.cycle()).not.equal(0)
        const told = await text(page, 'reason', 'alarms')
        told.should.match(cause)
        told.should.match(remedy)
        // Also when the cell is ready for the next trigger.
        should(await text(page, 'reason')).match(cause)
        should(await text(page, 'state')).not.match(/Done/)
      }, aMinute)
      await photograph(page, `fault-${name.replaceAll(' ', '-')}`)
      await happens(right)
      await runsAgain(page)
      await eventually(async () => should(await text(page, 'alarms')).not.match(/active/), aMinute)
    })

  it('is told with what to do, and forgotten when it is mended: a PLC that is gone', async () => {
    const page = await open()
    await runsAgain(page)
    await plc.close()
    await eventually(async () => {
      should(await text(page, 'state')).match(/No PLC/)
      should(await text(page, 'reason')).match(/The PLC is not connected\. Check its power and network cable/)
    }, aMinute)
    await photograph(page, 'fault-plc')
    plc = await cellOf(panel.port(1611))
    await runsAgain(page)
  })
})
