import fc from 'fast-check'
import should from 'should'
import {
  decodeImageEvent,
  decodeImageSet,
  encodeImageSetRequest,
  ProtobufError,
} from '../../lib/codec/images/codec'
import { bytesOf, typeOf, wireSet } from './messages'

const settings = { seed: 1, numRuns: process.env.CELLSIGHT_LONG ? 20_000 : 300 }

describe('the messages of the image stream', () => {
  it('are read as an independent implementation writes them, without copying pixels', () => {
    const bytes = bytesOf('ImageSet', wireSet({ number: 5 }))
    const { timestamp, left, disparity, confidence, right, error, mesh } = decodeImageSet(bytes)
    timestamp.should.equal(1_700_000_005_123_456_789n)
    should(left).have.properties({
      ...{ timestamp, width: 8, height: 6, step: 8, encoding: 'mono8', focalLength: 540 },
      ...{ principalPoint: { u: 4, v: 3 }, exposureTime: 0.5, gain: 2, brightness: 0.25, noise: 0 },
    })
    should(left?.data.buffer).equal(bytes.buffer)
    should(disparity).have.properties({
      scale: 0.0625,
      offset: 0,
      invalid: 0,
      baseline: 0.25,
      deltaD: 0.0625,
    })
    should(disparity).have.properties({ width: 8, height: 6, step: 16, encoding: 'mono16', timestamp })
    should(disparity?.data.length).equal(96)
    should(confidence?.data.length).equal(48)
    should([right, error, mesh]).eql([undefined, undefined, undefined])
  })

  it('give the depth of the example in the description', () => {
    const bytes = Buffer.from(
      '0a0b0880e2cfaa0610959aef3a224e0a0b0880e2cfaa0610959aef3a150000803d2d0ad7233e350000803d3a30' +
        '0a0b0880e2cfaa0610959aef3a100118022500000744' +
        '2d0000803f350000003f3a066d6f6e6f313648045204' +
        '70080000',
      'hex',
    )
    const { disparity } = decodeImageSet(bytes)
    if (!disparity) throw new Error('no disparity')
    const { focalLength, baseline, scale, data, principalPoint } = disparity
    const depth = (focalLength * baseline) / (data.readUInt16LE(0) * scale)
    depth.should.be.approximately(0.64, 1e-7)
    principalPoint.should.eql({ u: 1, v: 0.5 })
    disparity.timestamp.should.equal(1_700_000_000_123_456_789n)
  })

  it('tell when the pictures are taken', () => {
    const bytes = Buffer.from('0a0a0895c7f9f0e39fe7cb1710959a97ece39fe7cb17', 'hex')
    const { takenAt, timestamp } = decodeImageEvent(bytes)
    should(takenAt).equal(timestamp + 10_000_000n)
    const latest = 2n ** 64n - 1n
    const last = { depthAcquisitionDone: { timestamp: String(latest) }, imagesetTimestamp: String(latest) }
    decodeImageEvent(bytesOf('ImageEvents', last)).should.eql({ takenAt: latest, timestamp: latest })
  })

  it('have a mesh, the levels of inputs and outputs, and times before 1970', () => {
    const { left, mesh } = decodeImageSet(
      bytesOf('ImageSet', {
        left: { timestamp: { sec: -1, nsec: 5 }, gpios: { inputs: 3, outputs: 12, values: 4294967295 } },
        mesh: { timestamp: { sec: 2 }, format: 'ply', data: Buffer.from('ply\n') },
      }),
    )
    should(left).have.properties({ timestamp: -999_999_995n, width: 0 })
    should(left?.gpios).eql({ inputs: 3, outputs: 12, values: 4294967295 })
    should(mesh).eql({ timestamp: 2_000_000_000n, format: 'ply', data: Buffer.from('ply\n') })
  })

  it('may have fields of newer firmware, and come in several parts', () => {
    const whole = bytesOf('ImageSet', wireSet())
    const newer = Buffer.from('7a03616263', 'hex')
    decodeImageSet(Buffer.concat([newer, whole, newer])).should.eql(decodeImageSet(whole))
    const halves = [{ left: { width: 3, encoding: 'mono8' } }, { left: { height: 2, data: Buffer.alloc(6) } }]
    const { left } = decodeImageSet(Buffer.concat(halves.map((half) => bytesOf('ImageSet', half))))
    should(left).have.properties({ width: 3, height: 2, step: 3 })
  })

  const disagreeing = {
    'fewer pixels than its size': { width: 4, height: 4, step: 4, encoding: 'mono8', data: Buffer.alloc(15) },
    'more pixels than its size': { width: 4, height: 4, step: 4, encoding: 'mono8', data: Buffer.alloc(17) },
    'rows that are too short': { width: 4, height: 4, step: 4, encoding: 'mono16', data: Buffer.alloc(16) },
    'an enormous size': {
      ...{ width: 4294967295, height: 4294967295, step: 4294967295 },
      ...{ encoding: 'mono8', data: Buffer.alloc(9) },
    },
    'pixels in the other byte order': { isBigendian: true },
  }
  for (const [what, image] of Object.entries(disagreeing))
    it(`are refused with ${what}`, () => {
      for (const part of ['left', 'confidence'])
        should(() => decodeImageSet(bytesOf('ImageSet', { [part]: image }))).throw(ProtobufError)
      should(() => decodeImageSet(bytesOf('ImageSet', { disparity: { image } }))).throw(ProtobufError)
    })

  it('are refused when they are cut off anywhere, and never crash', () => {
    const whole = bytesOf('ImageSet', { left: (wireSet() as { left: object }).left })
    for (let length = 1; length < whole.length; length++)
      should(() => decodeImageSet(whole.subarray(0, length))).throw(ProtobufError)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const decode of [decodeImageSet, decodeImageEvent])
          try {
            decode(bytes)
          } catch (error) {
            if (!(error instanceof ProtobufError)) throw error
          }
      }),
      settings,
    )
  })

  it('ask for what is wanted, as an independent implementation reads it', () => {
    const read = (bytes: Uint8Array) => {
      const type = typeOf('ImageSetRequest')
      return type.toObject(type.decode(bytes), { enums: String })
    }
    read(encodeImageSetRequest({ left: true, disparity: true, confidence: true })).should.eql({
      ...{ leftEnabled: true, disparityEnabled: true, confidenceEnabled: true },
    })
    read(encodeImageSetRequest({ right: true, error: true, color: true })).should.eql({
      ...{ rightEnabled: true, disparityErrorEnabled: true, color: true },
    })
    const mesh = { maxPoints: 50_000, binning: 'nearest', textured: true } as const
    encodeImageSetRequest({ mesh, color: true })
      .toString('hex')
      .should.equal('30013a0808d0860310012001' + '4001')
    read(encodeImageSetRequest({ mesh: { watertight: true } })).should.eql({
      ...{ meshEnabled: true, meshOptions: { watertight: true } },
    })
  })
})
