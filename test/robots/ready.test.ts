import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { sharedNodeRed } from '../support/shared-node-red'
import type { NodeRed } from '../support/node-red'
import { Robot } from '../virtual-device/robot/robot'

describe('STATUS in front of a flow', function () {
  this.timeout(120_000)
  let red: NodeRed
  let device: VirtualDevice
  let port = 0
  let robot: Robot

  const deploy = async (chosen: string) => {
    await red.deploy([
      { id: 'tab', type: 'tab', label: 'Cell' },
      { id: 'device', type: 'vision-device-config', name: '', address: device.url, healthInterval: 0.5 },
      {
        ...{ id: 'robots', type: 'vision-robot-connection', name: '', way: 'robot-interface', port },
        device: chosen,
      },
      {
        ...{ id: 'request', type: 'vision-robot-request', z: 'tab', x: 100, y: 100 },
        ...{ robots: 'robots', wires: [[], []] },
      },
    ])
    robot = await eventually(() => Robot.connected(port))
  }
  const ready = async () => {
    const { code, data2 } = await robot.ask('STATUS')
    code.should.equal(0)
    return data2
  }

  before(async () => {
    ;[port = 0] = await freePorts(1)
    device = await startVirtualDevice({ port: 0 })
    red = await sharedNodeRed({})
  })
  afterEach(() => robot.close())
  after(async () => {
    await red.deploy([])
    await device.stop()
  })

  it('is true only while the chosen device is ready', async () => {
    await deploy('device')
    for (const offline of [false, true, false]) {
      device.setScenario({ offline })
      await eventually(async () => should(await ready()).equal(offline ? 0 : 1))
    }
  })

  it('is always true without a device', async () => {
    device.setScenario({ offline: true })
    await deploy('')
    ;(await ready()).should.equal(1)
    device.setScenario({ offline: false })
  })

  it('is never true where the device is missing', async () => {
    await deploy('of another flow')
    ;(await ready()).should.equal(0)
  })
})
