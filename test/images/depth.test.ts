import should from 'should'
import {
  colouredDepth,
  usualRange,
  depthOf,
  millimetresOf,
  pointAt,
  disparityOf,
} from '../../lib/images/depth'
import { values16Of } from '../../lib/images/picture'
import { disparity, disparityOfScene } from './support/disparities'

/** The example of the facts: 2 x 1 pixels; f 540, b 0.16, stored 2160 and nothing. */
const example = () => disparity(2, 1, Buffer.from('70080000', 'hex'))

describe('depth from disparity', () => {
  it('is the focal length times the baseline by the disparity: 0.640 m for 135 px', async () => {
    const { width, height, data } = await depthOf(example())
    ;[width, height].should.deepEqual([2, 1])
    should(data[0]).be.approximately(0.64, 1e-7)
    should(data[1]).be.NaN()
    disparityOf(2160, example()).should.equal(135)
    disparityOf(0, example()).should.be.NaN()
  })

  it('uses scale, offset and invalid value of the set', async () => {
    const other = { ...example(), scale: 0.125, offset: -135, invalid: 0xffff }
    const { data } = await depthOf(other)
    should(data[0]).be.approximately(0.64, 1e-7)
    // Here 0 is a value, but a negative disparity, which nothing can have.
    should(data[1]).be.NaN()
    const data16 = Buffer.from('7008ffff', 'hex')
    should((await depthOf({ ...other, data: data16 })).data[1]).be.NaN()
  })

  it('is one point in the camera frame: x right, y down, z forward', () => {
    should(pointAt(example(), 0, 0)).be.deepEqual({
      x: -0.16 / 135,
      y: (-0.5 * 0.16) / 135,
      z: 0.64,
    })
    should(pointAt(example(), 1, 0)).be.undefined()
    for (const [column, row] of [
      [2, 0],
      [-1, 0],
      [0, 1],
      [NaN, 0],
    ] as const)
      should(pointAt(example(), column, row)).be.undefined()
  })

  it('is millimetres in 16 bits, 0 where there is none or too much', async () => {
    const data = Float32Array.of(0.64, NaN, 65.5354, 65.6, 0.0004, 1.2345)
    const pixels = await millimetresOf({ width: 3, height: 2, data })
    pixels.should.match({ width: 3, height: 2, encoding: 'mono16' })
    ;[...values16Of(pixels)].should.deepEqual([640, 0, 65_535, 0, 0, 1235])
  })

  it('is the same for every pixel of a large picture, in steps', async () => {
    const scene = disparityOfScene(640, 480, (column, row) =>
      column === row ? undefined : 0.5 + column / 640,
    )
    const { data } = await depthOf(scene)
    for (const [column, row] of [
      [0, 1],
      [639, 479],
      [320, 240],
      [100, 400],
    ] as const)
      should(data[row * 640 + column]).be.approximately(pointAt(scene, column, row)?.z ?? NaN, 1e-6)
    should(data[5 * 640 + 5]).be.NaN()
  })
})

describe('depth in colours', () => {
  const near = [178, 24, 24]
  const far = [40, 70, 170]

  it('is red near, blue far, black where nothing was measured', async () => {
    const data = Float32Array.of(0.4, 0.5, 0.75, 1, 9, NaN)
    const range = { near: 0.5, far: 1 }
    const { data: pixels, ...size } = await colouredDepth({ width: 6, height: 1, data }, { range })
    size.should.deepEqual({ width: 6, height: 1, encoding: 'rgb8' })
    const colours = Array.from({ length: 6 }, (_, at) => [...pixels.subarray(3 * at, 3 * at + 3)])
    colours[0]?.should.deepEqual(near)
    colours[1]?.should.deepEqual(near)
    colours[2]?.[1]?.should.be.above(150)
    colours[3]?.should.deepEqual(far)
    colours[4]?.should.deepEqual(far)
    colours[5]?.should.deepEqual([0, 0, 0])
  })

  it('finds the range of the picture itself, without single wrong pixels', async () => {
    const data = Float32Array.from({ length: 1000 }, (_, index) => 0.5 + index / 1000)
    data[3] = 60
    data[500] = NaN
    const range = usualRange({ width: 100, height: 10, data })
    range.near.should.be.within(0.5, 0.55)
    range.far.should.be.within(1.45, 1.5)
    const { data: pixels } = await colouredDepth({ width: 100, height: 10, data })
    ;[...pixels.subarray(0, 3)].should.deepEqual(near)
    ;[...pixels.subarray(-3)].should.deepEqual(far)
  })

  it('is possible for a picture without depth and for one of a single depth', async () => {
    for (const data of [Float32Array.of(NaN, NaN), Float32Array.of(1, 1)]) {
      const { data: pixels } = await colouredDepth({ width: 2, height: 1, data })
      ;[...pixels].should.have.length(6)
      ;(pixels[0] ?? 0).should.equal(Number.isNaN(data[0]) ? 0 : near[0])
    }
  })
})
