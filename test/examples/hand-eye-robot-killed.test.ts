import should from 'should'
import { distance, type Pose } from '../../lib/robotics'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { eventually } from '../support/eventually'
import { exampleNodes, type FlowNode } from '../support/example'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { hasRead } from '../support/reading'
import { confirmed, patience } from './driven'

/** Metres per second, and of the stop, m/s²; the arm has begun to brake within these seconds. */
const speed = 0.05
const braking = 2
const brakesWithin = 0.5

interface Truth {
  /** Of the arm itself, which stands still with the process of this test. */
  time: number
  motions: number
  moves: boolean
  program: string | null
  flange: Pose
}

describe('the example hand-eye-robot-drives, whose Node-RED is killed in the middle', function () {
  this.timeout(3 * patience)
  let device: VirtualDevice
  let red: NodeRed

  before(async () => {
    device = await startVirtualDevice({
      ...{ port: 0, imagePort: 0, arm: 'ur5e', armPort: 0 },
      scenario: { image_view: 'grid' },
    })
    red = await startNodeRed({ flows: flows(device) })
  })
  after(async () => {
    await red.stop()
    await device.stop()
  })

  const truth = async () => (await (await fetch(`${device.url}/virtual/arm`)).json()) as Truth
  const press = async (id: string) => {
    const { status } = await fetch(`${red.url}/inject/${id}`, { method: 'POST' })
    should(status).equal(200)
  }
  const follows = async (button: string, text: RegExp) => {
    const from = red.output().length
    await press(button)
    await eventually(() => void red.output().slice(from).should.match(text), patience)
  }

  /** Answers by *2. confirm* from now on. */
  const confirmedUntil = (until: RegExp) =>
    confirmed(
      { press, follows, output: () => red.output() },
      {
        ...{ begin: 'drives-confirm', confirm: 'drives-confirm', until },
        goOn: { reset: 'drives-reset', again: 'drives-continue' },
      },
    )

  it('leaves a robot that brakes by itself', async () => {
    await follows('drives-start', /asks and sees\] .*Compare with the pendant/)
    await confirmedUntil(/asks and sees\] .*Pose 3 .*Confirm when/)
    await hasRead()
    await press('drives-confirm')
    await eventually(async () => (await truth()).moves.should.be.true())
    const before = await truth()
    await red.kill()
    const killed = await truth()
    await eventually(async () => should(await truth()).have.properties({ moves: false, program: null }))
    const way = speed * (killed.time - before.time + brakesWithin) + speed ** 2 / (2 * braking)
    const { flange } = await truth()
    distance(before.flange.position, flange.position).should.be.below(way + 0.001)
  })

  it('moves nothing when it runs again, and says what is kept when it is asked to go on', async () => {
    const { motions } = await truth()
    red = await startNodeRed({ userDir: red.userDir })
    await eventually(() => red.output().should.match(/connected/i), patience)
    await follows('drives-continue', /asks and sees\] .*Compare with the pendant/)
    should(await truth()).have.properties({ motions, moves: false })
    await hasRead()
    await follows('drives-confirm', /asks and sees\] .*continues with 2 poses/)
    await eventually(() => red.output().should.match(/moves back there first.*Confirm when/), patience)
    should(await truth()).have.properties({ motions, moves: false })
  })

  it('calibrates with the poses from before, and saves the result', async () => {
    const printed = await confirmedUntil(/calibration is saved/)
    printed.should.not.match(/Pose [12]:/)
  })
})

/** The example, with the device and the arm of this test, at a speed at which a motion can be met. */
function flows({ url, ports }: VirtualDevice): FlowNode[] {
  const { rtde, primary, dashboard } = ports['arm']?.parts ?? {}
  const changes: Readonly<Record<string, object>> = {
    'vision-device-config': { address: url, imagePort: ports.images?.port },
    'vision-robot-config': {
      ...{ rtdePort: rtde, primaryPort: primary, dashboardPort: dashboard },
      speed: 1000 * speed,
    },
    debug: { console: true },
  }
  return exampleNodes('hand-eye-robot-drives')
    .filter(({ type }) => type !== 'vision-virtual-device')
    .map((node) => ({ ...node, ...changes[node.type] }))
}
