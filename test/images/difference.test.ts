import 'should'
import { changedPart, gridOf, type Pixels } from '../../lib/images/picture'
import { seeded } from './support/random-pixels'

const [width, height] = [320, 240]
const random = seeded(7)

/** Grey with noise, and a brighter part: columns from..to of all rows. */
const picture = (from = 0, to = 0): Pixels => {
  const data = Buffer.alloc(width * height)
  for (let pixel = 0; pixel < data.length; pixel++) {
    const column = pixel % width
    data[pixel] = 100 + 10 * (random() - 0.5) + (column >= from && column < to ? 60 : 0)
  }
  return { width, height, encoding: 'mono8', data }
}

describe('the difference of two pictures', () => {
  it('is nothing for noise', () => changedPart(gridOf(picture()), gridOf(picture())).should.equal(0))

  it('is the part of the picture that has changed', () => {
    changedPart(gridOf(picture()), gridOf(picture(0, 32))).should.be.approximately(0.1, 0.04)
    changedPart(gridOf(picture()), gridOf(picture(0, 320))).should.equal(1)
  })

  it('is found in all encodings, and between pictures of different sizes', () => {
    const grey = picture()
    const same = { width: 640, height: 480, encoding: 'mono8', data: Buffer.alloc(640 * 480, 100) }
    changedPart(gridOf(grey), gridOf(same)).should.equal(0)
    const colour = { width: 4, height: 3, encoding: 'rgb8', data: Buffer.alloc(36, 100) }
    changedPart(gridOf(grey), gridOf(colour)).should.equal(0)
    const depth = (value: number) => {
      const data = Buffer.from(Uint16Array.from({ length: 64 }, () => value).buffer)
      return gridOf({ width: 8, height: 8, encoding: 'mono16', data })
    }
    changedPart(depth(2160), depth(2200)).should.equal(0)
    changedPart(depth(2160), depth(2500)).should.equal(1)
  })
})
