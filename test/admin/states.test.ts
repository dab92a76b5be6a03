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
    {
      ...config,
      id: 'named',
      address: 'http://${VISION_STATES_LOGIN}@${VISION_STATES_HOST}:9/${VISION_STATES_CELL}/',
    },
    { ...config, id: 'unnamed', address: 'admin:secret@${VISION_STATES_NOTHING}' },
    { ...onTab, id: 'user', type: 'vision-get-parameter', device: 'gone' },
  ]
  const bench = useBench({ type: 'vision-get-parameter' }, { flow })
  const admin = useAdmin()
  const variables = {
    VISION_STATES_LOGIN: 'admin:sec/ret',
    VISION_STATES_HOST: '127.0.0.1',
    VISION_STATES_CELL: 'cell 1',
  }
  before(async () => {
    Object.assign(process.env, variables)
    gone.address = await closedAddress()
    await bench.deploy()
  })
  after(() => {
    for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name)
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

  it("include each device's address with the values of environment variables, without a login", async () => {
    should(await states()).match({
      device: { address: bench.device.url },
      named: { address: 'http://127.0.0.1:9/cell 1/' },
      unnamed: { address: '${VISION_STATES_NOTHING}' },
    })
    JSON.stringify(await states()).should.not.match(/sec\/?ret/)
  })

  it('are reported without asking a device', async () => {
    const checks = () => bench.device.calls().filter(({ operation }) => operation !== 'getSystem').length
    const before = checks()
    await states()
    checks().should.equal(before)
  })
})
