import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { exampleNodes, useExample } from '../support/example'
import { confirmed, patience } from './driven'

/** A node as it is in the file. */
const written = (id: string) => {
  const node = exampleNodes('hand-eye-monthly-check').find((each) => each.id === id)
  if (!node) throw new Error(`no node ${id}`)
  return node
}

describe('the example hand-eye-monthly-check', function () {
  this.timeout(3 * patience)
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({
      ...{ port: 0, imagePort: 0, arm: 'ur5e', armPort: 0 },
      scenario: JSON.parse(String(written('monthly-virtual').scenario)) as object,
    })
  })
  after(() => device.stop())

  // The ports of an arm have fixed distances, so that free ones are those of a device of the test.
  const example = useExample('hand-eye-monthly-check', [8194], (nodes) => {
    const { rtde, primary, dashboard } = device.ports['arm']?.parts ?? {}
    for (const node of nodes)
      if (node.type === 'vision-virtual-device') Object.assign(node, { arm: 'off', imagePort: 'off' })
      else if (node.type === 'vision-device-config')
        Object.assign(node, { address: device.url, imagePort: device.ports.images?.port })
      else if (node.type === 'vision-robot-config')
        Object.assign(node, { rtdePort: rtde, primaryPort: primary, dashboardPort: dashboard, acceleration: 2000 })
    return nodes
  })
  const buttons = { confirm: 'monthly-confirm', goOn: { reset: 'monthly-reset', again: 'monthly-continue' } }
  const checked = (until: RegExp) =>
    confirmed(example(), { begin: 'monthly-check', confirm: buttons.confirm, until })

  it('asks on the first of each month', () => {
    const timer = example().nodes.find(({ id }) => id === 'monthly-check')
    should(timer).match({ topic: 'check-camera', crontab: '00 06 1 * *' })
  })

  it('says that a camera which nobody touched is where it was', async () => {
    await confirmed(example(), {
      ...{ ...buttons, begin: 'monthly-start', until: /calibration is saved/ },
    })
    const printed = await checked(/camera unmoved\] .*The calibration is still good/)
    printed.should.match(/Measurement 3 of 3 of the check.*Confirm when/)
    // Without calibrating.
    printed.should.not.match(/calibration is saved/)
  })

  it('says how far a camera that somebody knocked has moved', async () => {
    device.setScenario(JSON.parse(String(written('monthly-knock').payload)) as object)
    const printed = await checked(/camera moved\] .*calibrate again/)
    const moved = Number(/has moved by ([\d.]+) mm/.exec(printed)?.[1])
    moved.should.be.approximately(5, 1)
  })
})
