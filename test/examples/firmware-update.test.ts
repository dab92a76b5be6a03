import should from 'should'
import { newProfile } from '../support/browser'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'
import { bootingFast } from './booting-fast'

describe('the example firmware-update', () => {
  const example = useExample('firmware-update', [8094], bootingFast)

  it('updates with a button, reports its steps and the end, and rolls back', async () => {
    const { answers, press, prints } = example()
    await answers('firmware-now', /Checking whether/)
    await prints(/is restarting/, 20_000)
    await prints(/now runs v2\.0\.0 and works as before/, 20_000)
    await answers('firmware-now', /already runs v2\.0\.0/)
    await press('firmware-back-now')
    await prints(/is back on v1\.1\.0/, 20_000)
  })

  it('shows a progress bar on a page, and how to get buttons', async function () {
    const profile = await newProfile()
    if (!profile) return this.skip()
    const page = await profile.newPage()
    await page.goto(`${example().red.url}/vision-firmware`)
    // Somebody who opens the page now sees what was done before.
    await page.getByText('is back on v1.1.0').waitFor()
    await page.getByText('Set httpNodeAuth').waitFor()
    should(await page.getByRole('button').count()).equal(0)
    await profile.close()
  })

  it('refuses what anybody could have sent', async () => {
    const { red, prints } = example()
    const answer = await fetch(`${red.url}/vision-firmware`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"what":"update"}',
    })
    answer.status.should.equal(202)
    await prints(/requires no login/)
  })
})

describe('the example firmware-update in a Node-RED with a login', () => {
  const pass = '$2b$04$ICO6O1ZO85SKmpSWPEzaOu5mmQGzVCAoKychDlQOGKk1TYO81pLc6'
  const settings = { httpNodeAuth: { user: 'operator', pass } }
  const example = useExample('firmware-update', [8094], bootingFast, { settings })

  it('accepts the button on the page', async function () {
    const profile = await newProfile()
    if (!profile) return this.skip()
    const page = await profile.newPage()
    const { url } = example().red
    ;(await fetch(`${url}/vision-firmware`)).status.should.equal(401)
    const login = `Basic ${Buffer.from('operator:look').toString('base64')}`
    await page.setExtraHTTPHeaders({ authorization: login })
    await page.goto(`${url}/vision-firmware`)
    await example().prints(/ready: http/)
    await page.getByRole('button', { name: 'Update' }).click()
    await page.getByText('runs v2.0.0').waitFor({ timeout: 20_000 })
    await eventually(async () => (await page.locator('progress').getAttribute('value'))?.should.equal('100'))
    await profile.close()
  })

  it('refuses requests of another site, which needs no permission for a form', async () => {
    const { red, output } = example()
    const login = `Basic ${Buffer.from('operator:look').toString('base64')}`
    const before = output().length
    const answer = await fetch(`${red.url}/vision-firmware`, {
      method: 'POST',
      headers: { authorization: login },
      body: new URLSearchParams({ what: 'update' }),
    })
    answer.status.should.equal(202)
    await example().answers('firmware-now', /already runs v2\.0\.0/)
    // One answer, to the button.
    output().slice(before).match(/already/g)?.length.should.equal(1)
  })
})
