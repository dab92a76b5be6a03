import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useExample } from '../support/example'
import { hasRead } from '../support/reading'

describe('the example robot-motion', () => {
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({ port: 0, arm: 'ur5e', armPort: 0 })
  })
  after(() => device.stop())

  // The ports of an arm have fixed distances, so that free ones are those of a device of the test.
  const example = useExample('robot-motion', [8172], (nodes) => {
    const { rtde, primary, dashboard } = device.ports['arm']?.parts ?? {}
    for (const node of nodes)
      if (node.type === 'vision-virtual-device') Object.assign(node, { arm: 'off' })
      else if (node.type === 'vision-robot-config')
        Object.assign(node, { rtdePort: rtde, primaryPort: primary, dashboardPort: dashboard })
    return nodes
  })

  it('moves the robot home after both confirmations, and stops it', async () => {
    const { answers, follows } = example()
    await answers('arm-read', /mode: 'running'/)
    await follows('arm-go', /pendant/)
    await hasRead()
    await follows('arm-confirm', /50 mm/)
    await hasRead()
    await follows('arm-confirm', /now at/)
    await follows('arm-halt', /at rest/)
  })
})
