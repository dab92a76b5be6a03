import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import RED, { type NodeAPI } from 'node-red'
import should from 'should'
import type { Image } from '../../lib/codec/images/codec'
import type { ImageSet } from '../../lib/images/options'
import { composed, identity, inverted, ofRotationVector, type Pose } from '../../lib/robotics'
import { imagePlace } from '../../nodes/device/device'
import {
  fileName,
  type PictureAnswer,
  type PictureName,
  picturesOf,
  imageSelection,
} from '../../nodes/pictures/pictures'
import { pictureDescription, type PictureFields } from '../../nodes/pictures/picture-fields'
import { readDevicePose, readLoadCarrier, readRegion } from '../../nodes/pictures/found'
import { defaultsOf } from '../../nodes/shared/fields/checked-fields'
import { disparityOfScene } from '../images/support/disparities'
import { readPly } from '../images/support/read-ply'
import { readPng } from '../images/support/read-png'
import { useBench } from '../support/bench'

const [width, height] = [16, 12]
const camera = { focalLength: 540, principalPoint: { u: 8, v: 6 } }
const shot = { timestamp: 1n, exposureTime: 0.005, gain: 3, noise: 1, out1Reduction: 0, brightness: 0.5 }

const image = (value: number): Image => ({
  ...{ ...shot, ...camera, width, height, encoding: 'mono8', step: width },
  data: Buffer.alloc(width * height, value),
})
const scene = disparityOfScene(width, height, (column) => (column < 8 ? 0.64 : 0.8))
const set: ImageSet = {
  timestamp: 1_700_000_000_123_456_789n,
  receivedAt: 1_700_000_001_000,
  skipped: 3,
  connection: 1,
  left: image(100),
  right: image(101),
  confidence: image(255),
  error: image(1),
  disparity: { ...shot, ...camera, ...scene, step: 2 * width, data: Buffer.from(scene.data), deltaD: 0.0625 },
}

const fieldsOf = (fields: Partial<PictureFields>): PictureFields => ({
  ...defaultsOf(pictureDescription),
  ...fields,
})

describe('the pictures of a node', () => {
  const bench = useBench({ type: 'vision-get-parameter' })
  let folder = ''
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'pictures-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  const sent = async (
    fields: Partial<PictureFields>,
    given: Partial<Record<PictureName, unknown>> = {},
    from: ImageSet = set,
  ): Promise<PictureAnswer> => {
    const pictures = picturesOf(RED as unknown as NodeAPI, bench.node, fieldsOf(fields))
    const values = {
      read: (name: PictureName) => given[name],
      name: (name: PictureName) => String(given[name]),
    }
    const device = bench.config.device.connection
    const { signal } = new AbortController()
    return (await pictures.prepare({ values, device, pipeline: '0', signal }))(from)
  }
  const payload = async (...given: Parameters<typeof sent>) => (await sent(...given)).properties.payload
  const calibrated = async (pose: Pose, robotMounted: boolean) => {
    const args = { pose, robot_mounted: robotMounted }
    const { client } = bench.config.device.connection
    const node = { pipeline: '0', node: 'dev_hand_eye_calibration' }
    await client.callService({ ...node, service: 'set_calibration', args })
  }

  it('are one picture in the payload, as PNG, data URL or numbers', async () => {
    const png = (await payload({})) as Buffer
    const { values, ...size } = readPng(png)
    size.should.deepEqual({ width, height, depth: 8, channels: 1 })
    values.every((value) => value === 100).should.be.true()
    should(await payload({ picturesAs: 'dataUrl' })).equal(`data:image/png;base64,${png.toString('base64')}`)
    const raw = (await payload({ picturesAs: 'raw' })) as Image
    raw.should.deepEqual({ width, height, encoding: 'mono8', data: set.left?.data })
  })

  it('are numbers without a copy where the flow gets all that was received, and otherwise a copy', async () => {
    const bufferOf = async (fields: object) => {
      const given = (await payload({ picturesAs: 'raw', ...fields })) as Image | { left: Image }
      return ('left' in given ? given.left : given).data.buffer
    }
    ;(await bufferOf({})).should.equal(set.left?.data.buffer)
    ;(await bufferOf({ right: true })).should.equal(set.left?.data.buffer)
    ;(await bufferOf({ depth: 'metres' })).should.not.equal(set.left?.data.buffer)
    ;(await bufferOf({ cloud: 'points' })).should.not.equal(set.left?.data.buffer)
  })

  it('are several by name, with what is known of each', async () => {
    const { properties, summary: told } = await sent({
      right: true,
      confidence: true,
      disparityError: true,
      picturesAs: 'raw',
    })
    Object.keys(properties.payload as object).should.deepEqual(['left', 'right', 'confidence', 'error'])
    const known = {
      ...camera,
      width,
      height,
      encoding: 'mono8',
      exposureTime: 0.005,
      gain: 3,
      brightness: 0.5,
      noise: 1,
    }
    properties.images.should.deepEqual({
      timestamp: 1_700_000_000.123456,
      receivedAt: 1_700_000_001_000,
      skipped: 3,
      ...{ left: known, right: known, confidence: known, error: known },
    })
    told.should.deepEqual({ text: '4 pictures', value: 4 })
    // Everything can be written as JSON.
    JSON.stringify(properties).should.be.a.String()
  })

  it('are the depth in millimetres, metres or colours', async () => {
    const { properties, summary: told } = await sent({ left: 'none', depth: 'millimetres' })
    const { values, ...size } = readPng(properties.payload as Buffer)
    size.should.deepEqual({ width, height, depth: 16, channels: 1 })
    ;[values[0], values[8]].should.deepEqual([640, 800])
    properties.images.should.match({ depth: { baseline: 0.16, focalLength: 540, encoding: 'mono16' } })
    told.text.should.equal('picture 16 x 12')
    const metres = (await payload({ left: 'none', depth: 'metres' })) as {
      encoding: string
      data: Float32Array
    }
    metres.encoding.should.equal('float32')
    should(metres.data[0]).be.approximately(0.64, 1e-6)
    const millimetres = { left: 'none', depth: 'millimetres', picturesAs: 'raw' } as const
    should(((await payload(millimetres)) as { data: Uint16Array }).data).be.instanceOf(Uint16Array)
    readPng((await payload({ left: 'none', depth: 'colours' })) as Buffer).channels.should.equal(3)
  })

  it('are a point cloud: as a PLY file in the message, or as numbers', async () => {
    const cloud = { left: 'none', cloud: 'message', cloudNormals: true } as const
    const { properties, summary: told } = await sent(cloud)
    const points = readPly(properties.payload as Buffer)
    points.should.have.length(width * height)
    points[0]?.should.have.properties({ red: 100, nz: -1 })
    properties.images.should.match({ cloud: { count: width * height, frame: 'camera' } })
    told.should.deepEqual({ text: `${width * height} points`, value: width * height })

    const numbers = (await payload({
      ...cloud,
      cloud: 'points',
      cloudPoints: 10,
      cloudColours: false,
    })) as object
    numbers.should.have.property('count', 10)
    numbers.should.not.have.property('colours')
    readPly(
      (await payload({ ...cloud, plyKind: 'text', cloudCell: 1000 })) as Buffer,
    ).length.should.be.within(1, 8)
    const doubtful = { ...set, confidence: image(10) }
    should(await payload({ ...cloud, leastConfidence: 0.5 }, {}, doubtful)).match((ply: Buffer) =>
      readPly(ply).should.be.empty(),
    )
  })

  it('are a file with the time of the picture in its name', async () => {
    const pattern = join(folder, '{date}', '{timestamp}.ply')
    const { properties, summary: told } = await sent({ left: 'none', cloud: 'file' }, { cloudFile: pattern })
    const path = properties.payload as string
    path.should.endWith('1700000000.123456789.ply')
    readPly(readFileSync(path)).should.have.length(width * height)
    properties.images.should.match({ cloud: { file: path } })
    told.text.should.equal(`${width * height} points in ${path}`)
    // A path from a message must lie below an allowed folder.
    const outside = sent(
      { left: 'none', cloud: 'file', cloudFileType: 'msg', folders: join(folder, 'in') },
      { cloudFile: join(folder, 'x.ply') },
    )
    await outside.should.be.rejectedWith({ code: 'INVALID_INPUT', message: /x\.ply/ })
  })

  it('are in the frame of the robot by the calibration on the device', async () => {
    const { client } = bench.config.device.connection
    await client.callService({
      ...{ pipeline: '0', node: 'dev_hand_eye_calibration', args: {} },
      service: 'remove_calibration',
    })
    const cloud = { left: 'none', cloud: 'points', cloudFrame: 'robot' } as const
    await sent(cloud).should.be.rejectedWith({ code: 'NOT_FOUND', message: /no hand-eye calibration/ })

    // Above the table, looking down.
    const above = {
      position: { x: 0, y: 0, z: 1 },
      orientation: ofRotationVector({ x: Math.PI, y: 0, z: 0 }),
    }
    await calibrated(above, false)
    const heights = async (given: object = {}, fields: object = {}) => {
      const { positions } = (await payload({ ...cloud, ...fields }, given)) as { positions: Float32Array }
      return [...positions].filter((_, part) => part % 3 === 2).map((z) => Math.round(1000 * z))
    }
    new Set(await heights()).should.deepEqual(new Set([360, 200]))

    const upper = { pose: { ...identity(), position: { x: 0, y: 0, z: 0.4 } }, box: { x: 1, y: 1, z: 0.1 } }
    new Set(await heights({ cloudRegion: upper })).should.deepEqual(new Set([360]))

    await calibrated(above, true)
    await sent(cloud).should.be.rejectedWith({ code: 'INVALID_INPUT', message: /pose of the flange/ })
    const robotPose = { ...identity(), position: { x: 0, y: 0, z: 0.5 } }
    new Set(await heights({ robotPose })).should.deepEqual(new Set([860, 700]))
  })

  it('are what lies in a load carrier', async () => {
    const above = {
      position: { x: 0, y: 0, z: 1 },
      orientation: ofRotationVector({ x: Math.PI, y: 0, z: 0 }),
    }
    await calibrated(above, false)
    const inCamera = { ...above, position: { x: 0, y: 0, z: 0.65 } }
    const record = { inner_dimensions: { x: 1, y: 1, z: 0.1 }, outer_dimensions: { x: 1.1, y: 1.1, z: 0.12 } }
    const fields = { left: 'none', cloud: 'points', cloudFrame: 'loadCarrier' } as const
    for (const [pose, frame] of [
      [inCamera, 'camera'],
      [composed(above, inCamera), 'external'],
    ] as const) {
      const loadCarrier = { ...record, pose, pose_frame: frame }
      const cloud = (await payload(fields, { loadCarrier })) as { count: number; positions: Float32Array }
      // Of the two surfaces only the one at 0.64 m, 1 cm above the middle of the load carrier.
      cloud.count.should.equal((width * height) / 2)
      should(cloud.positions[2]).be.approximately(0.01, 1e-6)
    }
    await sent(fields).should.be.rejectedWith({ code: 'INVALID_INPUT', message: /detect_load_carriers/ })
  })

  it('name a part that the set lacks, and one that cannot be read', async () => {
    const { timestamp, receivedAt, skipped, connection } = set
    const empty = { timestamp, receivedAt, skipped, connection }
    await sent({}, {}, empty).should.be.rejectedWith({ code: 'BAD_REPLY', message: /has no left\./ })
    await sent({ left: 'none', cloud: 'message' }, {}, empty).should.be.rejectedWith({
      message: /has no cloud\./,
    })
    const odd = { ...set, left: { ...image(1), encoding: 'yuv411' } }
    await sent({}, {}, odd).should.be.rejectedWith({
      code: 'BAD_REPLY',
      message: /left cannot be read .*yuv411/,
    })
  })

  it('come from the host of the device, on the port of the pipeline', async () => {
    const device = bench.config.device.connection
    should(await imagePlace(device, '0')).match({ host: '127.0.0.1', port: 50051, connectDeadline: 3000 })
    should(await imagePlace(device, '3')).match({ port: 50054 })
    for (const pipeline of ['', 'x', '-1', '1.5', '20000'])
      await imagePlace(device, pipeline).should.be.rejectedWith({ code: 'INVALID_INPUT' })
  })
})

describe('what a stream of images must have', () => {
  const wanted = (fields: Partial<PictureFields>) => imageSelection(fieldsOf(fields))
  const none = { left: false, right: false, disparity: false, error: false, confidence: false, color: false }

  it('is only what is sent', () => {
    wanted({}).should.deepEqual({ ...none, left: true })
    wanted({ left: 'colour' }).should.deepEqual({ ...none, left: true, color: true })
    wanted({ left: 'none', depth: 'metres' }).should.deepEqual({ ...none, disparity: true })
    const cloud = { left: 'none', cloud: 'file' } as const
    wanted(cloud).should.deepEqual({ ...none, left: true, disparity: true })
    const plain = { ...cloud, cloudColours: false, leastConfidence: 0.1 }
    wanted(plain).should.deepEqual({ ...none, disparity: true, confidence: true })
    wanted({ left: 'none', leastConfidence: 1, disparityError: true }).should.deepEqual({
      ...none,
      error: true,
    })
  })

  it('cannot be nothing', () =>
    should(() => wanted({ left: 'none' })).throw({ code: 'INVALID_INPUT', message: /Nothing is selected/ }))
})

describe('records of a flow', () => {
  it('are poses with a direction', () => {
    const pose = { position: { x: '1', y: 2, z: 3 }, orientation: { w: 1.001, x: 0, y: 0, z: 0 } }
    readDevicePose('robotPose', pose).should.deepEqual({ ...identity(), position: { x: 1, y: 2, z: 3 } })
    for (const wrong of [
      undefined,
      [1, 2, 3],
      { position: pose.position },
      { ...pose, orientation: { w: 0, x: 0, y: 0, z: 0 } },
      { ...pose, position: { x: 1, y: 2 } },
    ])
      should(() => readDevicePose('robotPose', wrong)).throw({ code: 'INVALID_INPUT' })
  })

  it('are boxes, in the frame of the points', () => {
    const box = { x: 1, y: 2, z: 3 }
    readRegion('cloudRegion', { box }, 'camera').should.deepEqual({ size: box, pose: identity() })
    readRegion('cloudRegion', { box, pose_frame: 'external' }, 'external').size.should.deepEqual(box)
    should(() => readRegion('cloudRegion', { box, pose_frame: 'external' }, 'camera')).throw(/frame external/)
    should(() => readRegion('cloudRegion', { box, pose_frame: 'camera' }, undefined)).throw(/frame camera/)
    for (const wrong of [{}, 'box', { box: { ...box, z: 0 } }, { box, pose: {} }])
      should(() => readRegion('cloudRegion', wrong, 'camera')).throw({ code: 'INVALID_INPUT' })
  })

  it('are load carriers with the space in them', () => {
    const found = {
      pose: inverted(identity()),
      pose_frame: 'camera',
      inner_dimensions: { x: 1, y: 1, z: 0.5 },
    }
    readLoadCarrier('loadCarrier', found).inside.pose.position.z.should.equal(0)
    const outer = { ...found, outer_dimensions: { x: 1.1, y: 1.1, z: 0.6 } }
    readLoadCarrier('loadCarrier', outer).inside.pose.position.z.should.be.approximately(0.05, 1e-9)
    should(() => readLoadCarrier('loadCarrier', { ...found, pose_frame: '' })).throw({
      code: 'INVALID_INPUT',
    })
  })

  it('name files by known parts only', () => {
    const now = new Date(2026, 10, 23, 14, 5, 9)
    fileName('{date}/{time}_{timestamp}.ply', 1_000_000_005n, now).should.equal(
      '2026-11-23/14-05-09_1.000000005.ply',
    )
    should(() => fileName('{serial}.ply', 1n, now)).throw({
      code: 'INVALID_INPUT',
      message: /\{serial\}.*\{date\}/,
    })
  })
})
