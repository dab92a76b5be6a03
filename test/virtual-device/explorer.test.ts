import should from 'should'
import type { BrowserContext } from 'playwright-core'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { newProfile } from '../support/browser'

describe('the explorer at /api/', () => {
  let device: VirtualDevice
  let profile: BrowserContext | undefined

  before(async function () {
    device = await startVirtualDevice({ port: 0 })
    profile = await newProfile()
    if (!profile) this.skip()
  })
  after(async () => {
    await profile?.close()
    await device.stop()
  })

  it('writes a parameter with "Try it out", and loads nothing from elsewhere', async () => {
    const page = await (profile as BrowserContext).newPage()
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(device.url) && !request.url().startsWith('data:'))
        foreign.push(request.url())
    })
    await page.goto(`${device.url}/api/`)
    const operation = page.locator('#operations-pipeline_nodes-setParameter')
    await operation.locator('.opblock-summary').click()
    await operation.getByPlaceholder('pipeline').fill('0')
    await operation.getByPlaceholder('node').fill('dev_camera')
    await operation.getByPlaceholder('param').fill('fps')
    await operation.locator('textarea').fill('{ "value": 7 }')
    await operation.locator('button.execute').click()

    await operation
      .locator('.live-responses-table .response-col_status', { hasText: '200' })
      .first()
      .waitFor()
    const answer = await operation.locator('.live-responses-table .highlight-code').first().textContent()
    should(answer).containEql('"value": 7')
    should(device.parameter('dev_camera', 'fps')).equal(7)
    foreign.should.eql([])
  })

  it('shows the reason of a refused request', async () => {
    const page = await (profile as BrowserContext).newPage()
    await page.goto(`${device.url}/api/swagger/#/pipeline%20nodes/getParameter`)
    const operation = page.locator('#operations-pipeline_nodes-getParameter')
    await operation.getByPlaceholder('pipeline').fill('0')
    await operation.getByPlaceholder('node').fill('dev_camera')
    await operation.getByPlaceholder('param').fill('nothing')
    await operation.locator('button.execute').click()
    await operation
      .locator('.live-responses-table .response-col_status', { hasText: '404' })
      .first()
      .waitFor()
    const answer = await operation.locator('.live-responses-table').textContent()
    should(answer).containEql('"return_code"')
  })
})
