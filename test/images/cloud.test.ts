import should from 'should'
import { type Box, type Cloud, cloudOf, plyOf } from '../../lib/images/cloud'
import { pointAt } from '../../lib/images/depth'
import { identity, inverted, ofRotationVector, rotated, type Pose } from '../../lib/robotics'
import { disparityOfScene } from './support/disparities'
import { randomBytes } from './support/random-pixels'
import { readPly } from './support/read-ply'

/** A plane 0.8 m away with a box on it, 0.6 m away; the first column is not measured. */
const [width, height] = [64, 48]
const scene = disparityOfScene(width, height, (column, row) =>
  column === 0 ? undefined : column >= 24 && column < 40 && row >= 16 && row < 32 ? 0.6 : 0.8,
)
const measured = (width - 1) * height
const boxPixels = 16 * 16

const position = ({ positions }: Cloud, index: number) => {
  const [x = NaN, y = NaN, z = NaN] = positions.subarray(3 * index, 3 * index + 3)
  return { x, y, z }
}
const all = (cloud: Cloud) => Array.from({ length: cloud.count }, (_, index) => position(cloud, index))
const upright: Pose['orientation'] = { w: 1, x: 0, y: 0, z: 0 }

describe('a point cloud', () => {
  it('has a point for every measured pixel, in metres', async () => {
    const cloud = await cloudOf(scene)
    cloud.count.should.equal(measured)
    Object.keys(cloud).should.deepEqual(['count', 'positions'])
    for (const index of [0, 500, measured - 1]) {
      const row = Math.floor(index / (width - 1))
      const point = pointAt(scene, 1 + (index % (width - 1)), row) ?? identity().position
      const found = position(cloud, index)
      for (const axis of ['x', 'y', 'z'] as const) found[axis].should.be.approximately(point[axis], 1e-6)
    }
  })

  it('takes its colours from the left picture, which may be larger', async () => {
    // Four times as large, with its own optical axis; the colour names the pixel of the disparity.
    const data = Buffer.alloc(3 * 256 * 192)
    for (let row = 0; row < 192; row++)
      for (let column = 0; column < 256; column++)
        data.set([Math.floor(column / 4), Math.floor(row / 4), 9], 3 * (row * 256 + column))
    const camera = { focalLength: 4 * 540, principalPoint: { u: 130, v: 98 } }
    const left = { width: 256, height: 192, encoding: 'rgb8', data, ...camera }
    const cloud = await cloudOf(scene, { left })
    const colour = (index: number) => [...(cloud.colours?.subarray(3 * index, 3 * index + 3) ?? [])]
    // Two pixels further right and down than without the shift of the axis: half a pixel of the disparity.
    colour(0).should.deepEqual([1, 0, 9])
    colour(measured - 1).should.deepEqual([63, 47, 9])
    const blue = await cloudOf(scene, { left: { ...left, encoding: 'bgr8' } })
    ;[...(blue.colours?.subarray(0, 3) ?? [])].should.deepEqual([9, 0, 1])
    const grey = { ...left, encoding: 'mono8', data: Buffer.alloc(256 * 192, 77) }
    ;[...((await cloudOf(scene, { left: grey })).colours ?? [])].every((each) => each === 77).should.be.true()
  })

  it('leaves out what the device is not confident of', async () => {
    const data = Buffer.alloc(width * height, 200)
    data.fill(50, 0, 10 * width)
    const image = { width, height, encoding: 'mono8', data }
    const cloud = await cloudOf(scene, { confidence: { image, least: 0.5 } })
    cloud.count.should.equal(measured - 10 * (width - 1))
    await cloudOf(scene, {
      confidence: { image: { ...image, height: 47 }, least: 0.5 },
    }).should.be.rejectedWith(RangeError)
  })

  it('is in the frame of the robot with the pose of the camera', async () => {
    const camera = {
      position: { x: 1, y: -0.5, z: 2 },
      orientation: ofRotationVector({ x: Math.PI, y: 0, z: 0 }),
    }
    const [own, moved] = [await cloudOf(scene), await cloudOf(scene, { camera })]
    moved.count.should.equal(own.count)
    for (const index of [0, 1000, measured - 1]) {
      const { x, y, z } = position(own, index)
      const found = position(moved, index)
      found.x.should.be.approximately(1 + x, 1e-5)
      found.y.should.be.approximately(-0.5 - y, 1e-5)
      found.z.should.be.approximately(2 - z, 1e-5)
    }
  })

  it('has only the points of a region: in the camera, robot and load carrier frame the same', async () => {
    const box: Box = {
      pose: { position: { x: 0, y: 0, z: 0.6 }, orientation: upright },
      size: { x: 1, y: 1, z: 0.05 },
    }
    ;(await cloudOf(scene, { region: box })).count.should.equal(boxPixels)

    const camera = { position: { x: 1, y: 2, z: 3 }, orientation: ofRotationVector({ x: 0.3, y: -2, z: 1 }) }
    const offset = rotated(box.pose.position, camera.orientation)
    const inRobot = {
      position: { x: 1 + offset.x, y: 2 + offset.y, z: 3 + offset.z },
      orientation: camera.orientation,
    }
    ;(await cloudOf(scene, { camera, region: { ...box, pose: inRobot } })).count.should.equal(boxPixels)

    const carrier = {
      position: { x: 0.02, y: 0.01, z: 0.6 },
      orientation: ofRotationVector({ x: 0, y: 0, z: 0.5 }),
    }
    const inside = { ...box, pose: identity() }
    const found = await cloudOf(scene, { camera: inverted(carrier), region: inside })
    found.count.should.equal(boxPixels)
    for (const { z } of all(found)) z.should.be.within(-0.025, 0.025)
  })

  it('knows the direction of the surfaces, towards the camera', async () => {
    const slope = disparityOfScene(200, 100, (column) => 0.8 + (column - 100) * 0.001)
    const cloud = await cloudOf(slope, { normals: true })
    // A surface that goes away to the right by s per column is inclined by s f / (Z - s (column - u)).
    const middle = 3 * (50 * 200 + 100)
    const [right = 0, down = 0, away = 0] = [...(cloud.normals?.subarray(middle, middle + 3) ?? [])]
    Math.hypot(right, down, away).should.be.approximately(1, 1e-6)
    away.should.be.below(0)
    down.should.be.approximately(0, 0.02)
    ;(right / -away).should.be.approximately((0.001 * 540) / 0.8, 0.15)

    const flat = await cloudOf(scene, { normals: true })
    const camera = {
      position: { x: 0, y: 0, z: 0 },
      orientation: ofRotationVector({ x: Math.PI, y: 0, z: 0 }),
    }
    const turned = await cloudOf(scene, { normals: true, camera })
    const z = (cloud: Cloud) => [...(cloud.normals ?? [])].filter((_, at) => at % 3 === 2)
    z(flat)
      .every((part) => part === -1)
      .should.be.true()
    z(turned)
      .every((part) => Math.abs(part - 1) < 1e-6)
      .should.be.true()
  })

  it('does not guess a direction for a single point', async () => {
    const lonely = disparityOfScene(5, 5, (column, row) => (column === 2 && row === 2 ? 1 : undefined))
    const cloud = await cloudOf(lonely, { normals: true })
    ;[...(cloud.normals ?? [])].should.deepEqual([0, 0, 0])
  })

  it('becomes thinner by cubes: one point, the mean, in each', async () => {
    const left = { ...scene, encoding: 'mono8', data: randomBytes(width * height) }
    const full = await cloudOf(scene, { left, normals: true })
    const thin = await cloudOf(scene, { left, normals: true, cell: 0.02 })
    const cells = new Map<string, { points: number[] }>()
    for (const [index, { x, y, z }] of all(full).entries()) {
      const key = [x, y, z].map((part) => Math.floor(part / 0.02)).join()
      const cell = cells.get(key) ?? { points: [] }
      cell.points.push(index)
      cells.set(key, cell)
    }
    thin.count.should.equal(cells.size)
    for (const [index, [, { points }]] of [...cells].entries()) {
      const mean = (values: ArrayLike<number> | undefined, part: number) =>
        points.reduce((sum, point) => sum + (values?.[3 * point + part] ?? NaN), 0) / points.length
      for (let part = 0; part < 3; part++) {
        should(thin.positions[3 * index + part]).be.approximately(mean(full.positions, part), 1e-5)
        should(thin.colours?.[3 * index + part]).be.approximately(mean(full.colours, part), 0.5)
      }
      should(thin.normals?.[3 * index + 2]).be.approximately(-1, 1e-6)
    }
  })

  it('leaves out what is beyond the grid of the cubes', async () => {
    const far = disparityOfScene(2, 1, (column) => (column ? 1 : 80))
    ;(await cloudOf(far, { cell: 0.001 })).count.should.equal(1)
    ;(await cloudOf(far, { cell: 0.01 })).count.should.equal(2)
  })

  it('becomes thinner by a number of points, spread over all of it', async () => {
    const cloud = await cloudOf(scene, { most: 100 })
    cloud.count.should.equal(100)
    const rows = new Set(all(cloud).map(({ y }) => Math.sign(y)))
    rows.should.containEql(-1).and.containEql(1)
    ;(await cloudOf(scene, { most: 1e6 })).count.should.equal(measured)
  })

  it('may be empty', async () => {
    const nothing = disparityOfScene(8, 8, () => undefined)
    const cloud = await cloudOf(nothing, { cell: 0.01, most: 5, normals: true, left: nothing })
    cloud.count.should.equal(0)
    readPly(await plyOf(cloud)).should.be.empty()
  })

  it('stops when nobody waits for it', async () => {
    const large = disparityOfScene(1280, 960, () => 1)
    let looks = 0
    await cloudOf(large, { isOver: () => ++looks > 2 }).should.be.rejectedWith({ name: 'AbortError' })
  })
})

describe('a PLY file', () => {
  for (const kind of ['binary', 'text'] as const)
    for (const [what, normals, coloured] of [
      ['positions', false, false],
      ['colours', false, true],
      ['normals', true, false],
      ['normals and colours', true, true],
    ] as const)
      it(`has the same points for another program: ${kind} with ${what}`, async () => {
        const left = { ...scene, encoding: 'mono8', data: randomBytes(width * height) }
        const cloud = await cloudOf(scene, { normals, ...(coloured && { left }) })
        const file = await plyOf(cloud, { kind })
        const points = readPly(file)
        points.should.have.length(cloud.count)
        const header = file.indexOf('end_header\n') + 'end_header\n'.length
        const bytesOfPoint = 12 + (normals ? 12 : 0) + (coloured ? 3 : 0)
        if (kind === 'binary') file.length.should.equal(header + cloud.count * bytesOfPoint)
        const groups = [
          { names: ['x', 'y', 'z'], values: cloud.positions, within: 6e-6 },
          { names: ['nx', 'ny', 'nz'], values: cloud.normals, within: 6e-5 },
          { names: ['red', 'green', 'blue'], values: cloud.colours, within: 0 },
        ].filter(({ values }) => values)
        const names = groups.flatMap((group) => group.names)
        points.every((point) => Object.keys(point).join() === names.join()).should.be.true()
        for (const { names, values, within } of groups)
          for (const [part, name] of names.entries()) {
            const errors = points.map((point, at) =>
              Math.abs((point[name] ?? NaN) - (values?.[3 * at + part] ?? NaN)),
            )
            Math.max(...errors).should.be.belowOrEqual(within)
          }
      })
})
