import should from 'should'
import { eventually } from '../../support/eventually'
import { send } from '../support/use-device'
import { useImages, there } from './image-client'

const left = { leftEnabled: true }
const depth = { disparityEnabled: true }

describe('the scenario of the image stream', () => {
  const images = useImages()
  const code = async (request: object) => (await images.sets(request).ended).code

  it('refuses clients', async () => {
    images.device.setScenario({ image_stream: 'refused' })
    should(await code(left)).equal(8)
    images.device.setScenario({ image_stream: 'ok' })
    await images.sets(left).atLeast(1)
  })

  it('cuts sets in their middle', async () => {
    images.device.setScenario({ image_stream: 'cut' })
    const { ended, messages } = images.sets(left)
    should([13, 14]).containEql((await ended).code)
    messages.length.should.equal(0)
  })

  it('closes the port, and opens it again at the same place', async () => {
    const stream = images.sets(left)
    await stream.atLeast(1)
    images.device.setScenario({ image_stream: 'closed' })
    should([13, 14]).containEql((await stream.ended).code)
    await eventually(async () => should(await code(left)).equal(14))
    images.device.setScenario({ image_stream: 'ok' })
    await eventually(() => images.sets(left).atLeast(1))
  })

  it('takes the port away from a device that is offline', async () => {
    images.device.setScenario({ offline: true })
    await eventually(async () => should(await code(left)).equal(14))
    images.device.setScenario({ offline: false })
    await eventually(() => images.sets(left).atLeast(1))
  })

  it('refuses images without a licence', async () => {
    images.device.setScenario({ license: { stereo: false } })
    const { code: refused, details } = await images.sets(depth).ended
    should({ refused, details }).eql({
      refused: 7,
      details: 'no valid license: the component stereo is missing',
    })
    await images.sets(left).atLeast(1)
    images.device.setScenario({ license: { rectification: false } })
    should(await code(left)).equal(7)
  })

  it('shows the calibration grid, or the scene of the detection modules', async () => {
    await images.set('stereomatching', { quality: 'Low' })
    /** Depth of the background, metres. */
    const background = async () => {
      const [set] = await images.sets(depth).atLeast(1)
      const { image, scale, baseline } = there(set?.disparity)
      const raws = Array.from({ length: 200 }, (_, index) => image.data.readUInt16LE(2 * index))
      const [middle = 0] = raws
        .filter((raw) => raw > 0)
        .sort((one, other) => one - other)
        .slice(50)
      return (image.focalLength * baseline) / (middle * scale)
    }
    ;(await background()).should.be.within(1, 1.4)
    images.device.setScenario({ image_view: 'grid' })
    ;(await background()).should.be.within(2.9, 3.1)
    images.device.setScenario({ image_view: 'scene' })
    ;(await background()).should.be.within(1, 1.4)
  })

  it('loses sets', async () => {
    images.device.setScenario({ drop_images: 1 })
    const lost = images.sets(left)
    await images.events().atLeast(2)
    lost.messages.length.should.equal(0)
    images.device.setScenario({ drop_images: 0 })
    await lost.atLeast(1)
  })

  it('delays sets', async () => {
    images.device.setScenario({ image_delay_ms: 400 })
    const { timestamp } = there((await images.sets(left).atLeast(1))[0])
    const taken = 1000 * timestamp.sec + timestamp.nsec / 1e6
    ;(Date.now() - taken).should.be.above(399)
  })

  it('ends streams when the device restarts, and serves new ones afterwards', async () => {
    images.device.setScenario({ boot_seconds: 0.7, boot_502_seconds: 0.1 })
    const stream = images.sets(left)
    await stream.atLeast(1)
    await send('PUT', `${images.device.url}/api/v2/system/reboot`)
    should(await stream.ended).containEql({ code: 14, details: 'the device stops or restarts' })
    await eventually(() => images.sets(left).atLeast(1))
  })
})
