import { connect } from 'node:net'
import { join } from 'node:path'
import should from 'should'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { startVirtualDevice, type VirtualDevice, type VirtualDeviceOptions } from '../../../virtual-device'
import { rows, withoutRow } from '../../../virtual-device/page/page-html'
import { Scenario } from '../../../virtual-device/scenario'
import { newProfile } from '../../support/browser'
import { eventually } from '../../support/eventually'
import { root } from '../../support/root'
import { moveBy, program } from '../arm/clients'

describe('the page of the virtual device', () => {
  let device: VirtualDevice
  let profile: BrowserContext | undefined

  const open = async (
    options: VirtualDeviceOptions = {},
    look: BrowserContextOptions = { locale: 'en-US', viewport: { width: 1280, height: 1100 } },
  ): Promise<{ page: Page; problems: string[]; foreign: string[] }> => {
    device = await startVirtualDevice({ port: 0, ...options })
    profile = await newProfile(look)
    const page = await (profile as BrowserContext).newPage()
    const [problems, foreign]: string[][] = [[], []]
    page.on('console', (message) => {
      // The profile adds a style of its own, which the policy of the page blocks.
      if (message.type() === 'error' && !message.text().startsWith('Applying inline style'))
        problems?.push(message.text())
    })
    page.on('pageerror', (error) => problems?.push(error.message))
    page.on('request', (request) => {
      if (!/^(blob:)?http:\/\/127\.0\.0\.1:/.test(request.url()) && !request.url().startsWith('data:'))
        foreign?.push(request.url())
    })
    await page.goto(device.page ?? '')
    await page.locator('#picture[data-part=left]').waitFor()
    return { page, problems: problems ?? [], foreign: foreign ?? [] }
  }
  before(async function () {
    const there = await newProfile()
    if (!there) this.skip()
    await there.close()
  })
  afterEach(async () => {
    await profile?.close()
    await device.stop()
  })

  it('shows what the camera sees in three ways, and the cell from the side, and loads nothing from elsewhere', async () => {
    const { page, problems, foreign } = await open()
    for (const part of ['depth', 'confidence', 'left']) {
      await page.locator(`#parts [value=${part}]`).click()
      await page.locator(`#picture[data-part=${part}]`).waitFor()
      // While the next picture loads, it has no size.
      await eventually(async () => {
        const size = await page.locator('#picture').evaluate((image) => {
          const { naturalWidth, naturalHeight } = image as HTMLImageElement
          return [naturalWidth, naturalHeight]
        })
        size.should.eql([640, 480])
      })
    }
    ;((await page.locator('#caption').textContent()) ?? '').should.equal('Load carrier with 18 items')
    ;(await page.locator('#side .item').count()).should.equal(18)
    for (const name of ['camera', 'sight', 'floor', 'carrier', 'carrier-edge'])
      (await page.locator(`#side .${name}`).count()).should.equal(1, name)
    await photograph(page, 'virtual-page')
    problems.should.eql([])
    foreign.should.eql([])
  })

  it('switches the scenario with one button, and shows what others have switched', async () => {
    const { page } = await open()
    const row = (name: string) => page.locator('.row', { has: page.locator(`#${name}`) })
    await row('offline').getByRole('button', { name: 'Unplugged' }).click()
    await row('offline').locator('[aria-pressed=true]', { hasText: 'Unplugged' }).waitFor()
    device.scenario().offline.should.be.true()
    await page
      .getByRole('status')
      .filter({ hasText: 'Device is unplugged: its API does not answer.' })
      .waitFor()

    await row('items').getByRole('button', { name: '3' }).click()
    await page.locator('#caption', { hasText: 'Load carrier with 3 items' }).waitFor()
    await row('loadCarrier').getByRole('button', { name: 'Missing' }).click()
    await page.locator('#caption', { hasText: '3 items on the floor' }).waitFor()
    should(device.scenario().scene.detection).eql({ items: 3, load_carrier: false })

    device.setScenario({ grid_visible: false, image_view: 'grid' })
    await page.locator('#caption', { hasText: 'Calibration grid not detected: covered' }).waitFor()
    await row('grid').locator('[aria-pressed=true]', { hasText: 'Covered' }).waitFor()
    ;(await page.locator('#side .grid.unseen').count()).should.equal(1)

    await page.getByRole('button', { name: 'Reset all' }).click()
    await page.locator('#caption', { hasText: 'Load carrier with 18 items' }).waitFor()
    device.scenario().should.containEql({ offline: false, grid_visible: true, image_view: 'auto' })
    ;(await page.locator('.row.changed').count()).should.equal(0)
  })

  it('moves with the robot arm', async () => {
    const { page } = await open({ arm: 'ur5e' })
    await page.locator('#caption', { hasText: /^Calibration grid in view: \d+ mm away/ }).waitFor()
    const drawn = () => page.locator('#side .arm').getAttribute('points')
    const before = await drawn()
    const controller = connect(device.ports.arm?.parts?.['primary'] ?? 0, '127.0.0.1')
    controller.write(program('up', moveBy(0, 0, 0.1, 'a=1.2, v=0.03')))
    await page.getByRole('status').filter({ hasText: 'Robot arm is moving.' }).waitFor()
    await eventually(async () => {
      should(await drawn()).not.equal(before)
    })
    await page.getByRole('button', { name: 'Pressed' }).click()
    await eventually(() => {
      device.scenario().arm.should.containEql({ emergency_stop: true })
    })
    await page.getByRole('status').filter({ hasText: 'Robot arm is at rest.' }).waitFor()
    controller.destroy()
  })

  it('speaks German to German browsers, offers the pipelines, and has a dark look', async () => {
    const { page } = await open({ variant: 'multi' }, { locale: 'de-AT', colorScheme: 'dark' })
    should(await page.locator('html').getAttribute('lang')).equal('de')
    ;(await page.title()).should.equal('Virtuelles Gerät')
    await page.getByRole('status').filter({ hasText: 'Gerät läuft.' }).waitFor()
    await page.getByLabel('Pipeline').selectOption('1')
    await page.locator('#caption', { hasText: 'Ladungsträger mit 18 Objekten' }).waitFor()
    should(await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)).equal(
      'rgb(20, 24, 29)',
    )
    ;(await page.locator('#robotJob').count()).should.equal(1)
    await photograph(page, 'virtual-page-dark', false)
  })

  it('says that the device has stopped, and continues when it runs again', async () => {
    const { page } = await open()
    const { port } = device
    await device.stop()
    await page.getByRole('status').filter({ hasText: 'The virtual device has stopped.' }).waitFor()
    device = await startVirtualDevice({ port, scenario: { image_view: 'grid' } })
    await page.getByRole('status').filter({ hasText: 'Device is running.' }).waitFor()
    await page.locator('#caption', { hasText: 'Calibration grid in view' }).waitFor()
  })

  it('asks at most twice a second, and not at all while nobody can see it', async () => {
    const { page } = await open()
    let asked = 0
    page.on('request', (request) => {
      if (request.url().includes('/virtual/picture')) asked += 1
    })
    const started = Date.now()
    await eventually(() => {
      asked.should.be.aboveOrEqual(4)
    })
    // The first may come at once.
    ;(Date.now() - started).should.be.aboveOrEqual(3 * 480)
    await page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => true })`)
    await eventually(async () => {
      const seen = asked
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 1200))')
      asked.should.equal(seen)
    })
  })

  it('has a row or a reason to have none for each key of the scenario', () => {
    const switched = Object.values(rows).map(({ path }) => path[0] as string)
    const known = [...new Set([...switched, ...withoutRow])].sort()
    known.should.eql(Object.keys(Scenario.properties).sort())
  })
})

/** Saves a picture in the folder that the environment names, with 1 in the documentation. */
async function photograph(page: Page, name: string, isInDocs = true): Promise<void> {
  const folder = process.env['CELLSIGHT_SCREENSHOTS']
  if (!folder || (folder === '1' && !isInDocs)) return
  const file = `${name}.png`
  await page.screenshot({ path: folder === '1' ? join(root, 'docs', 'images', file) : join(folder, file) })
}
