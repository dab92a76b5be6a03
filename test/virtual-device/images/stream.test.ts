import should from 'should'
import { cornersInPly, readPly } from '../../images/support/read-ply'
import { eventually } from '../../support/eventually'
import { setsMethod, useImages, there } from './image-client'

describe('the image stream of the virtual device', () => {
  const images = useImages()
  const all = {
    leftEnabled: true,
    rightEnabled: true,
    disparityEnabled: true,
    disparityErrorEnabled: true,
    confidenceEnabled: true,
  }

  it('sends exactly what was asked for, with its size, encoding and camera', async () => {
    const [set] = await images.sets(all).atLeast(1)
    const { left, right, disparity, disparityError, confidence, mesh } = there(set)
    for (const image of [left, right])
      should(image).containDeep({
        width: 1280,
        height: 960,
        encoding: 'mono8',
        step: 1280,
        isBigendian: false,
      })
    should(disparity).containDeep({ scale: 0.0625, offset: 0, deltaD: 0.0625 })
    should(disparity?.baseline).be.approximately(0.0650542, 1e-6)
    should(disparity?.image).containDeep({ width: 640, height: 480, encoding: 'mono16', step: 1280 })
    for (const image of [disparityError, confidence])
      should(image).containDeep({ width: 640, height: 480, encoding: 'mono8', step: 640 })
    should(mesh).be.null()
    for (const image of [left, right, disparity?.image, disparityError, confidence]) {
      const { step, height, data, width, focalLength, principalPointU } = there(image)
      data.length.should.equal(step * height)
      focalLength.should.be.approximately(0.844893 * width, 1e-3 * width)
      principalPointU.should.equal((width - 1) / 2)
    }
    there(left).exposureTime.should.be.approximately(
      images.device.parameter('camera', 'exp_value') as number,
      0.01,
    )
    there(left).exposureTime.should.be.above(0)
    there(left).noise.should.be.above(0)
    should(there(left).gpios).containDeep({ inputs: 12, outputs: 3 })

    const [only] = await images.sets({ leftEnabled: true }).atLeast(1)
    should(only).have.property('left')
    for (const part of ['right', 'disparity', 'disparityError', 'confidence', 'mesh'] as const)
      should(there(only)[part]).be.null()
  })

  it('gives all parts of a set the same time, and each set a later one', async () => {
    await images.set('stereomatching', { quality: 'Low' })
    const sets = await images.sets(all).atLeast(4)
    for (const { timestamp, left, disparity, confidence } of sets)
      for (const part of [left, disparity?.image, confidence]) should(part?.timestamp).eql(timestamp)
    const times = sets.map(({ timestamp: { sec, nsec } }) => sec * 1e9 + nsec)
    times
      .slice(1)
      .every((time, index) => time > there(times[index]))
      .should.be.true()
  })

  it('has as many pixels of depth as the quality says', async () => {
    const { messages, atLeast } = images.sets({ disparityEnabled: true })
    await images.set('stereomatching', { quality: 'Low' })
    await eventually(async () => {
      await atLeast(messages.length + 1)
      should(messages.at(-1)?.disparity?.image).containDeep({ width: 214, height: 160 })
    })
  })

  it('sends colour on request: three equal channels, as the camera is monochrome', async () => {
    const [set] = await images.sets({ leftEnabled: true, color: true }).atLeast(1)
    const { encoding, step, data, width } = there(set?.left)
    should({ encoding, step }).eql({ encoding: 'rgb8', step: 3 * width })
    for (let pixel = 0; pixel < 3000; pixel += 3)
      data
        .subarray(pixel, pixel + 3)
        .every((value) => value === data[pixel])
        .should.be.true()
  })

  it('sends a mesh as PLY, as fine as asked', async () => {
    const request = { meshEnabled: true, meshOptions: { maxPoints: 5000, textured: true } }
    const [set] = await images.sets(request).atLeast(1)
    const { format, data } = there(set?.mesh)
    format.should.equal('ply')
    const [head = ''] = data.toString('latin1').split('end_header\n', 1)
    const [, points = ''] = /element vertex (\d+)/.exec(head) ?? []
    const [, faces = ''] = /element face (\d+)/.exec(head) ?? []
    Number(points).should.be.within(3000, 5000)
    data.length.should.equal(head.length + 'end_header\n'.length + 15 * Number(points) + 13 * Number(faces))
    const start = head.length + 'end_header\n'.length
    for (let point = 0; point < Number(points); point++)
      data.readFloatLE(start + 15 * point + 8).should.be.within(0.5, 2)
    should(set?.disparity).be.null()

    // Another program reads the same.
    const read = readPly(data)
    read.should.have.length(Number(points))
    should(read[0]).have.properties(['x', 'y', 'z'])
    for (const { z = NaN } of read) z.should.be.within(0.5, 2)
    const corners = cornersInPly(data)
    corners.should.have.length(3 * Number(faces))
    Math.max(...corners).should.be.below(read.length)
  })

  it('joins all edges of a watertight mesh, and takes the nearest point of a bin on request', async () => {
    const points = async (meshOptions: object) => {
      const [set] = await images.sets({ meshEnabled: true, meshOptions }).atLeast(1)
      const { data } = there(set?.mesh)
      const text = data.toString('latin1')
      const [, vertices = ''] = /element vertex (\d+)/.exec(text) ?? []
      const [, faces = ''] = /element face (\d+)/.exec(text) ?? []
      const start = text.indexOf('end_header\n') + 'end_header\n'.length
      const depths = Array.from({ length: Number(vertices) }, (_, index) =>
        data.readFloatLE(start + 12 * index + 8),
      )
      const mean = depths.reduce((sum, each) => sum + each) / depths.length
      return { vertices: Number(vertices), faces: Number(faces), mean }
    }
    const usual = await points({ maxPoints: 2000 })
    const closed = await points({ maxPoints: 2000, watertight: true })
    const nearest = await points({ maxPoints: 2000, binningMethod: 1 })
    closed.faces.should.be.above(usual.faces)
    const columns = 49
    closed.faces.should.equal(2 * (columns - 1) * (closed.vertices / columns - 1))
    nearest.mean.should.be.below(usual.mean)
  })

  it('refuses what it cannot serve, with the codes of gRPC', async () => {
    const never = (bytes: Buffer) => bytes
    const status = async (method: string, bytes: Buffer) =>
      (await images.stream(method, bytes, never).ended).code
    ;(await status(setsMethod, Buffer.alloc(0))).should.equal(3)
    ;(await status('/ImageInterface/Nothing', Buffer.alloc(0))).should.equal(12)
    ;(await status('/Nothing/StreamImageSets', Buffer.alloc(0))).should.equal(12)
    ;(await status(setsMethod, Buffer.from('08', 'hex'))).should.equal(13)
    ;(await status('/ImageEventsInterface/StreamImageEvents', Buffer.alloc(0))).should.equal(3)
    // Unknown fields of every kind are skipped.
    const newer = Buffer.from('0801a00601aa060568656c6c6fad0600000000a1060000000000000000', 'hex')
    const { messages, cancel } = images.stream(setsMethod, newer, never)
    await eventually(() => messages.length.should.be.above(0))
    cancel()
  })

  it('ends a stream at the deadline of its client', async () => {
    const { ended } = images.sets({ leftEnabled: true }, { deadline: 300 })
    ;(await ended).code.should.equal(4)
  })

  it('serves eight clients of a pipeline, and one more when one of them has gone', async () => {
    const eight = Array.from({ length: 8 }, () => images.sets({ disparityEnabled: true }))
    await images.set('stereomatching', { quality: 'Low' })
    await Promise.all(eight.map(({ atLeast }) => atLeast(1)))
    const ninth = await images.sets({ leftEnabled: true }).ended
    should(ninth).containEql({ code: 8 })
    ninth.details.should.match(/too many/)
    eight[0]?.cancel()
    await eventually(() => images.sets({ leftEnabled: true }).atLeast(1))
  })
})

describe('the image stream of a device with several pipelines', () => {
  const images = useImages({ variant: 'multi' })

  it('has a port for each of them', async () => {
    for (const pipeline of [0, 1])
      (await images.sets({ leftEnabled: true }, { pipeline }).atLeast(1)).length.should.be.above(0)
    const { code, details } = await images.sets({ leftEnabled: true }, { pipeline: 3 }).ended
    should({ code, details }).eql({ code: 14, details: 'there is no pipeline 3' })
  })
})
