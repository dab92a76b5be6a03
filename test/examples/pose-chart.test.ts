import 'should'
import type { BrowserContext, Page } from 'playwright-core'
import { newProfile } from '../support/browser'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'

describe('the example pose-chart', () => {
  const example = useExample('pose-chart', [8091])
  let profile: BrowserContext | undefined
  let page: Page

  before(async function () {
    profile = await newProfile()
    if (!profile) return this.skip()
    page = await profile.newPage()
  })
  after(() => profile?.close())

  it('draws the pose as it arrives', async () => {
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${example().red.url}/vision-pose`)
    const drawn = (css: string) =>
      page
        .locator(css)
        .getAttribute('d')
        .then((path) => (path ?? '').split('L').length)
    for (const css of ['path.x', 'path.y', 'path.z', 'path.way'])
      await eventually(async () => (await drawn(css)).should.be.above(20))
    ;(await page.locator('#state').textContent())?.should.match(/^x -?\d+ mm, y -?\d+ mm, z -?\d+ mm$/)
    complaints.should.deepEqual([])
  })

  it('lists who receives the pose', () => example().answers('chart-ask', /127\.0\.0\.1:\d+/))
})
