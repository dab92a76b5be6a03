import should from 'should'
import { useAdmin } from '../support/admin'
import { onTab, useBench } from '../support/bench'
import { closedAddress } from '../support/misbehaving-server'
import { eventually } from '../support/eventually'

const config = { type: 'vision-device-config', name: '' }

describe('the states of devices, for the sidebar', () => {
  const gone = { ...config, id: 'gone', address: '' }
  const flow = [
    gone,
    { ...config, id: 'unused', address: '127.0.0.1:9' },
    { ...onTab, id: 'user', type: 'vision-get-parameter', device: 'gone' },
  ]
  const bench = useBench({ type: 'vision-get-parameter' }, { flow })
  const admin = useAdmin()
  before(async () => {
    gone.address = await closedAddress()
    await bench.deploy()
  })
  const states = async (headers?: Record<string, string>) =>
    (await admin.get('vision-devices/states', headers)).body as Record<string, object>

  it("include each device's state and the reason why it is not ready, in the language of the editor", async () => {
    await bench.state('ready')
    await eventually(async () =>
      should(await states({ 'accept-language': 'de' })).match({
        device: { state: 'ready', reason: '' },
        gone: { state: /unreachable|connecting/, reason: /nicht erreichbar/ },
        unused: { state: 'unwatched', reason: '' },
      }),
    )
    const { gone: english } = await states()
    should(english).match({ reason: /could not be reached/ })
  })

  it('are reported without asking a device', async () => {
    const checks = () => bench.device.calls().filter(({ operation }) => operation !== 'getSystem').length
    const before = checks()
    await states()
    checks().should.equal(before)
  })
})
