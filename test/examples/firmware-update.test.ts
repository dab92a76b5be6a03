import 'should'
import { newProfile } from '../support/browser'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'
import { bootingFast } from './booting-fast'

describe('the example firmware-update', function () {
  this.timeout(40_000)
  const example = useExample('firmware-update', [8094], bootingFast)

  it('updates with a button, tells its steps and the end, and rolls back', async () => {
    const { answers, press, prints } = example()
    await answers('firmware-now', /Checking whether/)
    await prints(/is restarting/, 20_000)
    await prints(/runs v2\.0\.0 now, and works as before/, 20_000)
    await answers('firmware-now', /runs v2\.0\.0 already/)
    await press('firmware-back-now')
    await prints(/is back on v1\.1\.0/, 20_000)
  })

  it('shows a progress bar on a page, and takes the button there', async function () {
    const profile = await newProfile()
    if (!profile) return this.skip()
    const page = await profile.newPage()
    await page.goto(`${example().red.url}/vision-firmware`)
    // What was done before is shown to whoever looks only now.
    await page.getByText('is back on v1.1.0').waitFor()
    await page.getByRole('button', { name: 'Update' }).click()
    await page.getByText('runs v2.0.0').waitFor({ timeout: 20_000 })
    await eventually(async () => (await page.locator('progress').getAttribute('value'))?.should.equal('100'))
    await profile.close()
  })
})
