import should from 'should'
import { openImages } from '../../../lib/images'
import { eventually } from '../../support/eventually'
import { camera } from '../support/use-device'
import { nanoseconds, there, useImages } from './image-client'

describe('the image stream beside other work', () => {
  const images = useImages()

  it('leaves out sets for a client that reads slowly, and then goes on with the newest', async () => {
    const slow = images.sets({ leftEnabled: true })
    await slow.atLeast(1)
    slow.call.pause()
    const before = slow.messages.length
    const fast = images.sets({ leftEnabled: true })
    await fast.atLeast(40)
    const mark = nanoseconds(there(fast.messages.at(-1)).timestamp)
    slow.call.resume()
    await eventually(() => {
      const last = nanoseconds(there(slow.messages.at(-1)).timestamp)
      should(last >= mark).be.true()
    })
    ;(slow.messages.length - before).should.be.below(40)
    const times = slow.messages.map(({ timestamp }) => nanoseconds(timestamp))
    times
      .slice(1)
      .every((time, index) => time > there(times[index]))
      .should.be.true()
  })

  it('ends streams when the device stops', async () => {
    const stream = images.sets({ leftEnabled: true })
    await stream.atLeast(1)
    await images.device.stop()
    should([13, 14]).containEql((await stream.ended).code)
  })

  it('is read by our own client too, with what the device says of each image', async () => {
    const port = there(images.device.ports.images).port
    const link = openImages({ host: '127.0.0.1', port, wanted: { left: true, disparity: true } })
    for await (const set of link) {
      const { left, disparity } = set
      should(left).containDeep({ width: 1280, height: 960, encoding: 'mono8' })
      should(disparity).containDeep({ width: 640, height: 480, scale: 0.0625 })
      should(left?.timestamp).equal(disparity?.timestamp)
      break
    }
  })
})

describe('the image stream of a camera with twelve megapixels', () => {
  const images = useImages({ variant: 'multi', pipelines: { 0: 'stereo_b' } })

  it('is drawn beside the API, which answers meanwhile', async () => {
    const stream = images.sets({ leftEnabled: true })
    let answers = 0
    await eventually(async () => {
      should(await images.get(`/api/v2${camera}`)).have.property('name', 'dev_camera')
      answers += 1
      stream.messages.length.should.be.above(0)
    })
    should(stream.messages[0]?.left).containDeep({ width: 4112, height: 3008 })
    answers.should.be.above(5)
  })
})
