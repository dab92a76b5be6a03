import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useExample } from '../support/example'
import { confirmed, patience } from './driven'

describe('the example hand-eye-robot-drives', function () {
  this.timeout(2 * patience)
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({
      ...{ port: 0, imagePort: 0, arm: 'ur5e', armPort: 0 },
      scenario: { image_view: 'grid' },
    })
  })
  after(() => device.stop())

  // The ports of an arm have fixed distances, so that free ones are those of a device of the test.
  const example = useExample('hand-eye-robot-drives', [8177], (nodes) => {
    const { rtde, primary, dashboard } = device.ports['arm']?.parts ?? {}
    for (const node of nodes)
      if (node.type === 'vision-virtual-device') Object.assign(node, { arm: 'off', imagePort: 'off' })
      else if (node.type === 'vision-device-config')
        Object.assign(node, { address: device.url, imagePort: device.ports.images?.port })
      else if (node.type === 'vision-robot-config')
        Object.assign(node, { rtdePort: rtde, primaryPort: primary, dashboardPort: dashboard })
    return nodes
  })

  it('calibrates from one pose, asking before it moves, and saves the result', async () => {
    const { answers, output } = example()
    await answers('drives-start', /pendant of simulated arm/)
    const motions = async () =>
      ((await (await fetch(`${device.url}/virtual/arm`)).json()) as { motions: number }).motions
    should(await motions()).equal(0)
    await confirmed(example(), {
      ...{ begin: 'drives-confirm', confirm: 'drives-confirm', until: /calibration is saved/ },
      goOn: { reset: 'drives-reset', again: 'drives-continue' },
    })
    output().should.match(/plan is complete after \d+ poses\. Accuracy \(95 %\)/)
    should(await motions()).be.above(5)
  })
})
