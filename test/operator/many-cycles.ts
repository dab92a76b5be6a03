import should from 'should'
import { eventually } from '../support/eventually'
import { inspectorOf } from '../support/inspector'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { cellOf } from './support/cell-registers'
import { dashboardPackage, openPanel } from './support/dashboard'
import { runPanel } from './support/operator-example'

/** As many as 24 hours have with one every three seconds; the short form shows that the test works. */
const cycles = process.env['CELLSIGHT_LONG'] ? 28_800 : 900
/** Sizes are taken so many times, at equal distances. */
const looks = 12
/** After a third everything has its size: tables, journals, compiled code. */
const warm = looks / 3
/** Each so many cycles, a picture is taken and drawn over. */
const pictureEvery = 150

/** The heap is kept small, and a leak ends the process. */
const nodeOptions = '--max-old-space-size=128 --max-semi-space-size=2 --inspect=127.0.0.1:0'

/** Mebibytes by which sizes may be larger after two thirds of the cycles; those of the process: pages that are not given back yet. */
const most = { heap: 6, external: 6, resident: 60, page: 15 }

describe('the operator panel over many cycles', function () {
  this.timeout(7_200_000)
  let red: NodeRed

  before(async () => {
    red = await startNodeRed({ ...dashboardPackage, environment: { NODE_OPTIONS: nodeOptions } })
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
    const inspector = await inspectorOf(red.output())
    const sizes = async () => {
      await session.send('HeapProfiler.collectGarbage')
      const { usedSize } = await session.send('Runtime.getHeapUsage')
      return { ...(await inspector.sizes()), page: Math.round((usedSize / 2 ** 20) * 10) / 10 }
    }
    const series: Awaited<ReturnType<typeof sizes>>[] = []
    for (let cycle = 1; cycle <= cycles; cycle++) {
      should(await plc.cycle()).equal(0)
      if (cycle % pictureEvery === 0) await panel.press('look')
      if (cycle % (cycles / looks) !== 0) continue
      series.push(await sizes())
      process.stdout.write(`      ${cycle} cycles: ${JSON.stringify(series.at(-1))} MiB\n`)
    }
    await page
      .locator('#nrdb-ui-widget-oppanel-counters', { hasText: cycles.toLocaleString('en-GB') })
      .waitFor()
    should(await page.locator('#nrdb-ui-widget-oppanel-results tbody tr').count()).equal(20)
    await page.locator('.vision-view img').waitFor()
    const [before, end] = [series[warm - 1], series.at(-1)]
    if (!before || !end) throw new Error('no sizes')
    for (const [name, limit] of Object.entries(most) as [keyof typeof most, number][])
      should(end[name] - before[name]).be.below(limit, `${name}: ${JSON.stringify(series)}`)
    inspector.close()
    await plc.close()
    await opened.close()
  })
})
