import should from 'should'
import { manualClock } from '../../../virtual-device'
import { exposed, pixelNoise, type Exposure } from '../../../virtual-device/images/render/exposed'
import { eventually } from '../../support/eventually'
import { there, useImages, type WireImage } from './image-client'

const width = 200
const usual: Exposure = { brightness: 0.5, gain: 0, gamma: 1, blur: { x: 0, y: 0 }, seed: 1 }
const grey = new Uint8Array(width * 200).fill(102)

const mean = (image: Uint8Array) => image.reduce((sum, each) => sum + each, 0) / image.length
const spread = (image: Uint8Array) => {
  const middle = mean(image)
  return Math.sqrt(image.reduce((sum, each) => sum + (each - middle) ** 2, 0) / image.length)
}

describe('the exposure of an image', () => {
  it('is as bright as its share of the range, and burnt out above it', () => {
    for (const brightness of [0.1, 0.3, 0.5, 0.9])
      mean(exposed(grey, width, { ...usual, brightness })).should.be.approximately(255 * brightness, 1)
    mean(exposed(grey, width, { ...usual, brightness: 3 })).should.be.above(253)
  })

  it('has the noise of its gain', () => {
    let before = 0
    for (const gain of [0, 6, 12, 18]) {
      const noise = spread(exposed(grey, width, { ...usual, gain }))
      noise.should.be.approximately(pixelNoise(127.5, gain), 0.1 * pixelNoise(127.5, gain) + 0.1)
      noise.should.be.above(1.5 * before)
      before = noise
    }
  })

  it('is blurred along the way of the image, and only along it', () => {
    const edge = Uint8Array.from({ length: width * 50 }, (_, index) => (index % width < 100 ? 20 : 180))
    const steps = (blur: Exposure['blur']) => {
      const image = exposed(edge, width, { ...usual, gain: -60, blur })
      return image.subarray(0, width).filter((value) => value > 45 && value < 200).length
    }
    steps({ x: 0, y: 0 }).should.equal(0)
    steps({ x: 8, y: 0 }).should.be.within(6, 9)
    steps({ x: 0, y: 8 }).should.equal(0)
  })

  it('is another at each time, and the same for the same seed', () => {
    const image = exposed(grey, width, usual)
    Buffer.compare(image, exposed(grey, width, usual)).should.equal(0)
    Buffer.compare(image, exposed(grey, width, { ...usual, seed: 2 })).should.not.equal(0)
  })
})

describe('the images of a camera', () => {
  const images = useImages()
  const left = async () => {
    const [set] = await images.sets({ leftEnabled: true }).atLeast(1)
    return there(set?.left)
  }

  it('follow its exposure time and gain, and say so', async () => {
    await images.set('camera', { exp_control: 'Manual', exp_value: 0.002, gain_value: 0 })
    const short = await left()
    should(short.exposureTime).be.approximately(0.002, 1e-6)
    should(short.gain).equal(0)
    await images.set('camera', { exp_value: 0.004 })
    const long = await left()
    mean(long.data).should.be.above(1.6 * mean(short.data))
    long.brightness.should.be.above(1.6 * short.brightness)
    await images.set('camera', { exp_value: 0.0005, gain_value: 18 })
    const amplified = await left()
    should(amplified.gain).equal(18)
    amplified.noise.should.be.above(5 * long.noise)
    // On a piece of the floor without any edge of a body.
    const patch = ({ data, step }: typeof amplified) =>
      Uint8Array.from({ length: 900 }, (_, index) => {
        const [row, column] = [Math.floor(index / 30), index % 30]
        const at = (row + 20) * step + column + 20
        return 128 + Math.max(-128, Math.min(127, there(data[at]) - there(data[at + 1])))
      })
    spread(patch(amplified)).should.be.above(1.5 * spread(patch(long)))
  })
})

describe('the images of a camera that is carried', () => {
  const clock = manualClock()
  const images = useImages({ clock })
  /** How much neighbours in a row differ. */
  const sharpness = ({ data, step }: WireImage) => {
    let sum = 0
    for (let index = 100 * step; index < 860 * step; index += 3)
      sum += Math.abs(Number(data[index]) - Number(data[index + 1]))
    return sum
  }
  /** A picture at a time of the clock. */
  const leftAt = async (seconds: number) => {
    clock.advance(seconds - clock.now())
    const { messages, cancel } = images.sets({ leftEnabled: true })
    const taken = await eventually(() => {
      clock.advance(0.0001)
      return there(messages[0])
    })
    cancel()
    return there(taken.left)
  }

  it('are blurred while navigation runs and it moves, and not while it rests', async () => {
    await images.set('camera', { exp_control: 'Manual', exp_value: 0.008 })
    // Multiples of a lap: the first quarter of its first leg, and the rest at the end of that leg.
    const lap = 10 * Math.ceil(clock.now() / 10 + 10)
    const before = sharpness(await leftAt(lap + 1))
    await images.call('dynamics', 'start')
    clock.advance(30)
    const moving = sharpness(await leftAt(lap + 101))
    const resting = sharpness(await leftAt(lap + 102.3))
    moving.should.be.below(0.8 * before)
    resting.should.be.approximately(before, 0.1 * before)
  })
})
