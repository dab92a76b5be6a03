import { readFileSync } from 'node:fs'
import should from 'should'
import { eventually } from '../support/eventually'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { cellOf } from './support/cell-registers'
import { dashboardPackage, openPanel } from './support/dashboard'
import { runPanel } from './support/operator-example'

/** As many as 24 hours have with one every three seconds; the short form shows that the test works. */
const cycles = process.env['CELLSIGHT_LONG'] ? 28_800 : 900
/** Cycles after which everything has its size: tables, journals, compiled code. */
const warm = cycles / 3
/** Each so many cycles, a picture is taken and drawn over. */
const pictureEvery = 150

/** Garbage is collected soon, so that the size of the process says what is kept; a leak ends it. */
const smallHeap = '--max-old-space-size=128 --max-semi-space-size=2'

/** Mebibytes by which memory may be larger after two thirds of the cycles: pages of the process that are not given back yet. */
const most = { nodeRed: 60, page: 15 }

describe('the operator panel over many cycles', function () {
  this.timeout(3_600_000)
  let red: NodeRed

  before(async () => {
    red = await startNodeRed({ ...dashboardPackage, environment: { NODE_OPTIONS: smallHeap } })
  })
  after(() => red.stop())

  it('does not grow, nor does the page', async () => {
    const at = { z: 'oppanel', x: 0, y: 0 }
    const look = { ...at, id: 'look', type: 'inject', props: [], repeat: '', once: false }
    const panel = await runPanel(
      red,
      'operator-panel',
      [8211, 8212, 1611],
      {
        'oppanel-part': { repeat: '', once: false },
        // The PLC of this test is faster than any camera: pictures are taken beside.
        'oppanel-trigger': { wires: [['oppanel-result'], [], ['oppanel-mode']] },
        'oppanel-grasps': { wires: [['oppanel-node']] },
      },
      [{ ...look, wires: [['oppanel-acquire']] }],
    )
    const opened = await openPanel(`${red.url}/dashboard/cell`)
    if (!opened) throw new Error('no browser')
    const { page } = opened
    const plc = await eventually(() => cellOf(panel.port(1611)))
    await page.locator('#nrdb-ui-widget-oppanel-state', { hasText: 'Ready' }).waitFor()

    const session = await page.context().newCDPSession(page)
    const sizes = async () => {
      await session.send('HeapProfiler.collectGarbage')
      const { usedSize } = await session.send('Runtime.getHeapUsage')
      const resident = /VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${red.pid}/status`, 'utf8'))?.[1]
      return { nodeRed: Number(resident) / 1024, page: usedSize / 2 ** 20 }
    }
    let before = await sizes()
    for (let cycle = 1; cycle <= cycles; cycle++) {
      should(await plc.cycle()).equal(0)
      if (cycle % pictureEvery === 0) await panel.press('look')
      if (cycle === warm) before = await sizes()
    }
    const end = await sizes()
    const told = JSON.stringify({ cycles, before, end })
    process.stdout.write(`      ${told}\n`)
    await page
      .locator('#nrdb-ui-widget-oppanel-counters', { hasText: cycles.toLocaleString('en-GB') })
      .waitFor()
    should(await page.locator('#nrdb-ui-widget-oppanel-results tbody tr').count()).equal(20)
    await page.locator('.vision-view img').waitFor()
    should(end.nodeRed - before.nodeRed).be.below(most.nodeRed, told)
    should(end.page - before.page).be.below(most.page, told)
    await plc.close()
    await opened.close()
  })
})
