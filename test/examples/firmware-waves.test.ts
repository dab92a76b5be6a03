import 'should'
import { useExample } from '../support/example'
import { bootingFast } from './booting-fast'

describe('the example firmware-waves', () => {
  const example = useExample('firmware-waves', [8095, 8096, 8097], bootingFast)

  it('checks three devices, updates two, asks, and updates the third', async () => {
    const { press, prints, output } = example()
    await prints(/(vision-device-config:\w+\] ready[^]*){3}/)
    await press('waves-check-now')
    await prints(/(v1\.1\.0 and can be updated[^]*){3}/)
    await press('waves-now')
    await prints(/'right'/, 20_000)
    output().should.not.match(/right: v2/)
    await press('waves-approve')
    await prints(/left: v2\.0\.0[^]*middle: v2\.0\.0[^]*right: v2\.0\.0/, 20_000)
  })
})
