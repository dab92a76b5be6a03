import should from 'should'
import { createClient, images, type Client } from '../../lib'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { eventually } from '../support/eventually'
import { failureOf, nextOf, useLinks } from './use-links'

const node = 'dev_stereomatching'
const place = { pipeline: '0', node }

describe('the image client with the virtual device', () => {
  const links = useLinks()
  let device: VirtualDevice
  let client: Client
  let port: number
  const acquisitions: images.Acquisition[] = []

  beforeEach(async () => {
    device = await startVirtualDevice({ port: 0, imagePort: 0 })
    client = createClient({ address: device.url })
    port = device.ports.images?.port ?? 0
  })
  afterEach(async () => {
    await Promise.all(acquisitions.splice(0).map((one) => one.close()))
    await client.close()
    await device.stop()
  })

  const acquisition = (options: Partial<images.AcquisitionOptions> = {}) => {
    const made = new images.Acquisition({ host: '127.0.0.1', port, ...options })
    acquisitions.push(made)
    return made
  }
  const valueOf = async (param: string) => (await client.getParameter({ ...place, param })).value
  const steps = (own: Partial<images.AcquisitionSteps> = {}): images.AcquisitionSteps => ({
    mode: async () => String(await valueOf('acquisition_mode')),
    setMode: async (value) => {
      await client.setParameter({ ...place, param: 'acquisition_mode', value })
    },
    period: () => Promise.resolve(50),
    trigger: async () => {
      const { response } = await client.callService({ ...place, service: 'acquisition_trigger' })
      return (response as { return_code: { value: number; message: string } }).return_code
    },
    ...own,
  })

  it('receives every part in continuous mode, with later and later times', async () => {
    const wanted = { left: true, right: true, disparity: true, error: true, confidence: true }
    const link = links.images({ port, wanted })
    let before = 0n
    for (let count = 0; count < 5; count++) {
      const { timestamp, left, right, disparity, error, confidence } = await nextOf(link)
      should(timestamp > before).be.true()
      before = timestamp
      should(right?.width).equal(left?.width)
      should(disparity).have.properties({ encoding: 'mono16' })
      should([error?.width, confidence?.width]).eql([disparity?.width, disparity?.width])
      should((disparity?.baseline ?? 0) > 0).be.true()
    }
  })

  it('takes one picture after another on demand, and sets the mode once', async () => {
    const one = acquisition({ wanted: { left: true } })
    // Out of the continuous mode, a device that has little processor takes one more picture on its own.
    await eventually(async () => should((await one.acquire(steps())).doubt).be.undefined())
    const times: bigint[] = []
    for (let count = 0; count < 3; count++) {
      const told: string[] = []
      const { set, doubt } = await one.acquire(steps({ onTaken: (by) => told.push(by) }))
      should([doubt, told.length]).eql([undefined, 1])
      should(set.left).be.ok()
      times.push(set.timestamp)
    }
    times.should.eql([...times].sort())
    new Set(times).size.should.equal(3)
    should(await valueOf('acquisition_mode')).equal('SingleFrame')
  })

  it('has an unknown outcome when the device dies after it accepted the trigger', async () => {
    await client.setParameter({ ...place, param: 'quality', value: 'Full' })
    const dying = steps({
      trigger: async () => {
        const code = await steps().trigger()
        await device.stop()
        return code
      },
    })
    const failure = await failureOf(acquisition().acquire(dying))
    failure.code.should.equal('OUTCOME_UNKNOWN')
  })

  it('says before a trigger that nothing is served at the port', async () => {
    const closed = acquisition({ port: 1 })
    let triggers = 0
    const counted = steps({
      trigger: () => {
        triggers++
        return steps().trigger()
      },
    })
    ;(await failureOf(closed.acquire(counted))).code.should.equal('UNREACHABLE')
    triggers.should.equal(0)
  })

  it('comes back after the device was stopped and started', async () => {
    const link = links.images({ port, reconnects: true })
    await nextOf(link)
    await device.stop()
    await eventually(() => link.isOpen.should.be.false())
    device = await startVirtualDevice({ port: 0, imagePort: port })
    for (;;) {
      const { connection, disparity } = await nextOf(link)
      if (connection === 1) continue
      should(disparity).be.ok()
      break
    }
  })
})
