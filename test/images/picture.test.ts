import should from 'should'
import {
  dataUrlOf,
  pngOf,
  layoutOf,
  values16Of,
  type Pixels,
  changedPart,
  gridOf,
} from '../../lib/images/picture'
import { randomBytes, seeded } from './support/random-pixels'
import { readPng } from './support/read-png'

const sizes = { mono8: 1, mono16: 2, rgb8: 3, bgr8: 3 }

/** The values of a picture as its encoding defines them: 16 bits little-endian, colours as red, green, blue. */
function valuesOf({ width, height, encoding, step, data }: Pixels): number[] {
  const size = sizes[encoding as keyof typeof sizes]
  const values: number[] = []
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const at = row * (step ?? width * size) + column * size
      const bytes = [...data.subarray(at, at + size)]
      if (encoding === 'mono16') values.push((bytes[0] ?? 0) + 256 * (bytes[1] ?? 0))
      else values.push(...(encoding === 'bgr8' ? bytes.reverse() : bytes))
    }
  return values
}

describe('a picture as PNG', () => {
  for (const encoding of Object.keys(sizes) as (keyof typeof sizes)[])
    for (const [width, height, padding] of [
      [1, 1, 0],
      [7, 5, 0],
      [7, 5, 4],
      [640, 480, 0],
    ] as const)
      it(`has the same pixels: ${encoding}, ${width} x ${height}, ${padding} bytes between the rows`, async () => {
        const step = width * sizes[encoding] + padding
        const pixels = { width, height, encoding, step, data: randomBytes(height * step) }
        const { values, ...read } = readPng(await pngOf(pixels))
        read.should.deepEqual({
          width,
          height,
          depth: encoding === 'mono16' ? 16 : 8,
          channels: sizes[encoding] === 3 ? 3 : 1,
        })
        Buffer.from(Uint16Array.from(values).buffer)
          .equals(Buffer.from(Uint16Array.from(valuesOf(pixels)).buffer))
          .should.be.true()
      })

  it('compresses what does not change, and writes several pieces of what does', async () => {
    const grey = { width: 1280, height: 960, encoding: 'mono8', data: Buffer.alloc(1280 * 960, 128) }
    ;(await pngOf(grey)).length.should.be.below(10_000)
    const noise = { ...grey, data: randomBytes(1280 * 960) }
    const file = await pngOf(noise)
    file.length.should.be.below(1280 * 960 * 1.02)
    Buffer.from(readPng(file).values).equals(noise.data).should.be.true()
  })

  it('is read from the pixels wherever they lie in a message', async () => {
    const message = randomBytes(1 + 2 * 12)
    const data = message.subarray(1)
    const pixels = { width: 4, height: 3, encoding: 'mono16', data }
    readPng(await pngOf(pixels)).values.should.deepEqual(valuesOf(pixels))
    ;[...values16Of(pixels)].should.deepEqual(valuesOf(pixels))
  })

  it('takes 16-bit values without a copy where it can', () => {
    const data = randomBytes(16)
    const values = values16Of({ width: 4, height: 2, encoding: 'mono16', data })
    values.buffer.should.equal(data.buffer)
    const padded = { width: 3, height: 2, encoding: 'mono16', step: 8, data }
    ;[...values16Of(padded)].should.deepEqual(valuesOf(padded))
  })

  it('lets other work run between its steps, and stops when nobody waits', async () => {
    let isOver = false
    const written = pngOf(
      { width: 4000, height: 3000, encoding: 'rgb8', data: Buffer.alloc(36e6) },
      { isOver: () => isOver },
    )
    isOver = true
    await written.should.be.rejectedWith({ name: 'AbortError' })
  })

  it('refuses encodings that it does not know, and pictures that end early', async () => {
    const pixels = { width: 4, height: 2, encoding: 'mono8', data: Buffer.alloc(8) }
    for (const wrong of [
      { encoding: 'yuv422' },
      { encoding: 'constructor' },
      { data: Buffer.alloc(7) },
      { step: 3 },
      { step: 5 },
      { encoding: 'rgb8' },
    ])
      await pngOf({ ...pixels, ...wrong }).should.be.rejectedWith(RangeError)
    layoutOf({ ...pixels, step: 4 }).should.match({ row: 4, step: 4 })
    should.throws(() => values16Of(pixels), RangeError)
  })

  it('is a data URL for a page', async () => {
    const file = await pngOf({ width: 1, height: 1, encoding: 'mono8', data: Buffer.from([7]) })
    const [head, body = ''] = dataUrlOf(file).split(',')
    should(head).equal('data:image/png;base64')
    Buffer.from(body, 'base64').equals(file).should.be.true()
  })
})

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
