import should from 'should'
import { composed, inverted, rotated, type Pose, type Vector } from '../../../lib/robotics/pose'
import type { CellTruth } from '../../../virtual-device'
import { sceneOf, SceneSettings, caster, solidsOf } from '../../../virtual-device/detection/scene'
import { lensOf, viewImage } from '../../../virtual-device/images/render/album'
import { sceneStage } from '../../../virtual-device/images/stage'
import { Value } from '../../../lib/typebox'
import { overBin } from '../hand-eye/use-cell'
import { cornerNear } from './corner-near'
import { useImages, type WireImage, there } from './image-client'

const focal = 0.844893
const baseline = 0.0650542
const standing = { x: 0, y: 0, z: 0 }

/** Column and row of a point. */
const pixelOf = (image: Omit<WireImage, 'data'>, { x, y, z }: Vector) => ({
  x: image.principalPointU + (image.focalLength * x) / z,
  y: image.principalPointV + (image.focalLength * y) / z,
})

describe('the pictures of the simulated cell', () => {
  const settings = Value.Create(SceneSettings)

  for (const seed of [1, 2, 3])
    it(`show the bodies of the detection modules, seed ${seed}`, () => {
      const scene = sceneOf(settings, seed)
      const lens = lensOf(320, 240, focal)
      const { depth } = viewImage(sceneStage(scene), lens, 0)
      const cast = caster(solidsOf(scene))
      for (let row = 3; row < lens.height; row += 7)
        for (let column = 3; column < lens.width; column += 7) {
          const ray = { x: (column - lens.u) / lens.focal, y: (row - lens.v) / lens.focal, z: 1 }
          const true_ = cast(standing, ray)
          should(depth[row * lens.width + column]).be.approximately(true_, 1e-4)
        }
    })

  it('show a body whose faces the rays in the middle are parallel to', () => {
    // An odd size has a middle.
    const lens = lensOf(11, 11, 1)
    const half = Math.SQRT1_2
    const turns = [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
      [half, half, 0, 0],
      [half, 0, half, 0],
    ] as const
    for (const [w, x, y, z] of turns) {
      const pose = { position: { x: 0, y: 0, z: 3 }, orientation: { w, x, y, z } }
      const cube = { shape: 'box', half: { x: 1, y: 1, z: 1 }, pose, albedo: 0.5 } as const
      const { depth } = viewImage({ bodies: [cube], prints: [] }, lens, 0)
      for (const each of depth) should(each).be.approximately(2, 1e-6)
    }
  })

  it('show the same grain at its disparity in the right image', () => {
    const lens = lensOf(1280, 960, focal)
    const stage = sceneStage(sceneOf(settings, 1))
    const [left, right] = [viewImage(stage, lens, 0), viewImage(stage, lens, baseline)]
    let [equal, all] = [0, 0]
    for (let row = 20; row < 940; row += 23)
      for (let column = 200; column < 1240; column += 23) {
        const index = row * lens.width + column
        const disparity = (lens.focal * baseline) / there(left.depth[index])
        const beside = index - Math.round(disparity)
        all += 1
        if (Math.abs(there(left.light[index]) - there(right.light[beside])) <= 8) equal += 1
      }
    // Beside an edge, or at the border of a grain, the nearest pixel is another grain.
    ;(equal / all).should.be.above(0.7)
    let byChance = 0
    for (let row = 20; row < 940; row += 23)
      for (let column = 200; column < 1240; column += 23)
        if (
          Math.abs(there(left.light[row * 1280 + column]) - there(right.light[row * 1280 + column - 17])) <= 8
        )
          byChance += 1
    ;(equal / all).should.be.above((1.5 * byChance) / all)
  })
})

describe('a set of images', () => {
  const images = useImages()

  it('gives the true points of the cell, within its noise and the smallest step', async () => {
    await images.set('stereomatching', { quality: 'Full' })
    images.device.setScenario({ scene: { detection: { noise: 0.002 } } })
    const [set] = await images.sets({ disparityEnabled: true }).atLeast(1)
    const { image, scale, baseline: apart } = there(set?.disparity)
    const { scene } = (await images.get('/virtual/cell')) as {
      scene: { load_carrier: { pose: Pose; outer_dimensions: Vector } }
    }
    // On the rim of the load carrier, whose upper side is a plane of known height.
    const { pose, outer_dimensions: outer } = scene.load_carrier
    const errors: number[] = []
    for (let row = 0; row < image.height; row += 2)
      for (let column = 0; column < image.width; column += 2) {
        const raw = image.data.readUInt16LE(2 * (row * image.width + column))
        if (raw === 0) continue
        const z = (image.focalLength * apart) / (raw * scale)
        const point = {
          x: ((column - image.principalPointU) * z) / image.focalLength,
          y: ((row - image.principalPointV) * z) / image.focalLength,
          z,
        }
        const { position, orientation } = inverted(pose)
        const inBin = rotated(point, orientation)
        const local = { x: inBin.x + position.x, y: inBin.y + position.y, z: inBin.z + position.z }
        const beside = outer.x / 2 - Math.abs(local.x)
        if (beside > 0.005 && beside < 0.015 && Math.abs(local.y) < outer.y / 2 - 0.03)
          errors.push(local.z - outer.z / 2)
      }
    errors.length.should.be.above(1000)
    const mean = errors.reduce((sum, each) => sum + each) / errors.length
    const spread = Math.sqrt(errors.reduce((sum, each) => sum + (each - mean) ** 2, 0) / errors.length)
    Math.abs(mean).should.be.below(0.0003)
    spread.should.be.within(0.0017, 0.0026)
  })

  it('has the corners of the grid where the calibration has it', async () => {
    // The pose that a robot reports would be off by the noise of its own.
    images.device.setScenario({ scene: { hand_eye: { robot_noise: 0, robot_noise_degrees: 0 } } })
    await images.call('hand_eye_calibration', 'set_pose', { slot: 0, pose: overBin() })
    const hand = overBin([8, -6, 15])
    const told = await images.call('hand_eye_calibration', 'set_pose', { slot: 1, pose: hand })
    should(told).containEql({ success: true })
    const truth = (await images.get('/virtual/cell')) as CellTruth
    const [set] = await images.sets({ leftEnabled: true, rightEnabled: true }).atLeast(1)
    const grid = truth.robot_mounted
      ? composed(inverted(composed(hand, there(truth.camera))), there(truth.grid))
      : composed(inverted(there(truth.camera)), composed(hand, there(truth.grid)))
    const [columns, rows] = [13, 9]
    const errors: number[] = []
    for (const [image, eye] of [
      [there(set?.left), 0],
      [there(set?.right), baseline],
    ] as const)
      for (let row = 1; row < rows; row++)
        for (let column = 1; column < columns; column++) {
          const { position } = composed(grid, {
            position: {
              x: truth.grid_width * (column / columns - 0.5),
              y: truth.grid_height * (row / rows - 0.5),
              z: 0,
            },
            orientation: { w: 1, x: 0, y: 0, z: 0 },
          })
          const expected = pixelOf(image, { ...position, x: position.x - eye })
          const found = cornerNear(image, expected)
          errors.push(Math.hypot(found.x - expected.x, found.y - expected.y))
        }
    errors.length.should.equal(2 * (rows - 1) * (columns - 1))
    const mean = errors.reduce((sum, each) => sum + each) / errors.length
    mean.should.be.below(0.06)
    Math.max(...errors).should.be.below(0.4)
  })

  it('shows what a detection found where its pose says', async () => {
    await images.set('stereomatching', { quality: 'Full' })
    await images.call('itempick', 'start')
    await images.set('itempick', { max_grasps: 20 })
    const answer = await images.call('itempick', 'compute_grasps', {
      pose_frame: 'camera',
      suction_surface_length: 0.02,
      suction_surface_width: 0.02,
    })
    const grasps = answer['grasps'] as { pose: Pose }[]
    grasps.length.should.be.above(2)
    const [set] = await images.sets({ disparityEnabled: true }).atLeast(1)
    const { image, scale, baseline: apart } = there(set?.disparity)
    for (const { pose } of grasps) {
      const { x, y } = pixelOf(image, pose.position)
      const depths = [-2, -1, 0, 1, 2]
        .map((aside) => image.data.readUInt16LE(2 * (Math.round(y) * image.width + Math.round(x) + aside)))
        .filter((raw) => raw > 0)
        .map((raw) => (image.focalLength * apart) / (raw * scale))
      depths.length.should.be.above(0)
      for (const depth of depths) depth.should.be.approximately(pose.position.z, 0.006)
    }
  })

  it('shows the tags that are detected: dark in their border, bright around it', async () => {
    await images.call('april_tag_detect', 'start')
    const answer = await images.call('april_tag_detect', 'detect', {
      pose_frame: 'camera',
      tags: [{ id: '36h11_0' }],
    })
    const [tag] = answer['tags'] as { pose: Pose; size: number }[]
    const [set] = await images.sets({ leftEnabled: true }).atLeast(1)
    const { left } = there(set)
    const level = (x: number, y: number) => {
      const at = { position: { x, y, z: 0 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }
      const pixel = pixelOf(there(left), composed(there(tag).pose, at).position)
      return Number(left?.data[Math.round(pixel.y) * there(left).step + Math.round(pixel.x)])
    }
    const { size } = there(tag)
    for (const along of [-0.3, 0, 0.3])
      for (const [x, y] of [
        [1, along],
        [-1, along],
        [along, 1],
        [along, -1],
      ] as const) {
        const [inside, outside] = [0.44, 0.555]
        const scaled = (by: number) =>
          [Math.abs(x) === 1 ? x * by : x, Math.abs(y) === 1 ? y * by : y] as const
        const [dark, bright] = [scaled(inside), scaled(outside)]
        level(bright[0] * size, bright[1] * size).should.be.above(60 + level(dark[0] * size, dark[1] * size))
      }
  })

  it('measures the depths that the module measure measures', async () => {
    const region = { offset_x: 600, offset_y: 40, width: 80, height: 40 }
    const { overall } = (await images.call('measure', 'measure_depth', {
      pose_frame: 'camera',
      region_of_interest_2d: region,
    })) as unknown as { overall: { mean_z: Vector } }
    const [set] = await images.sets({ disparityEnabled: true }).atLeast(1)
    const { image, scale, baseline: apart } = there(set?.disparity)
    const depths: number[] = []
    for (let row = 20; row < 40; row++)
      for (let column = 300; column < 340; column++) {
        const raw = image.data.readUInt16LE(2 * (row * image.width + column))
        if (raw > 0) depths.push((image.focalLength * apart) / (raw * scale))
      }
    const mean = depths.reduce((sum, each) => sum + each) / depths.length
    mean.should.be.approximately(overall.mean_z.z, 0.001)
  })
})
