import should from 'should'
import { decodeMessage, encodeMessage, ProtobufError, type StreamMessageType } from '../../lib/codec/streams'
import { schema } from '../../lib/codec/streams'
import { fieldsIn } from '../../lib/codec/protobuf/codec'
import { vector, vectors } from './streams-text-format'

const types: readonly StreamMessageType[] = ['Frame', 'Dynamics', 'Imu']
const decode = (type: StreamMessageType, ...bytes: number[]): object =>
  decodeMessage(type, Buffer.from(bytes))

function failure(type: StreamMessageType, bytes: Uint8Array): ProtobufError {
  try {
    decodeMessage(type, bytes)
  } catch (error) {
    if (error instanceof ProtobufError) return error
    throw error
  }
  throw new Error(`${type} was read from ${Buffer.from(bytes).toString('hex')}`)
}

/** Start of each field of the outermost message, and the end of the last one. */
function boundaries(bytes: Buffer): Set<number> {
  const found = new Set([0])
  const varint = (at: number): [value: number, after: number] => {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = bytes[at++] as number
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return [value, at]
    }
  }
  const after = (wireType: number, at: number): number => {
    if (wireType === 0) return varint(at)[1]
    if (wireType === 2) return varint(at).reduce((length, start) => length + start)
    if (wireType === 3) return bytes.indexOf(0x3c, at) + 1
    return at + (wireType === 1 ? 8 : 4)
  }
  for (let at = 0; at < bytes.length;) {
    const [tag, start] = varint(at)
    at = after(tag & 7, start)
    found.add(at)
  }
  return found
}

describe('decodeMessage', () => {
  for (const { name, type, bytes } of vectors.filter((each) => each.bytes.length)) {
    it(`finds every truncation inside a field: ${name}`, () => {
      const whole = boundaries(bytes)
      whole.has(bytes.length).should.be.true()
      for (let length = 0; length < bytes.length; length++) {
        const part = bytes.subarray(0, length)
        if (whole.has(length)) decodeMessage(type, part)
        else failure(type, part).truncated.should.equal(true, `${length} bytes`)
      }
    })
  }

  for (const type of types)
    it(`reports a wrong wire type of each field of ${type} by path and offset`, () => {
      for (const { number, name, kind } of fieldsIn(schema[type])) {
        const right = kind === 'double' ? [1] : kind === 'doubles' ? [1, 2] : kind === 'bool' ? [0] : [2]
        for (const wireType of [0, 1, 2, 3, 5].filter((each) => !right.includes(each))) {
          // After an unknown field of three bytes.
          const error = failure(
            type,
            Buffer.from([0xf8, 0x01, 0x01, number * 8 + wireType, 0, 0, 0, 0, 0, 0, 0, 0]),
          )
          error.should.containEql({ path: `${type}.${name}`, offset: 3, truncated: false })
        }
      }
    })

  it('reports the path of a nested field, and where it begins', () => {
    const { bytes } = vector('Frame')
    const x = bytes.indexOf(Buffer.from([0x09]), 12)
    const wrong = Buffer.from(bytes)
    wrong[x] = 0x0d
    failure('Frame', wrong).should.containEql({ path: 'Frame.pose.pose.position.x', offset: x })
    failure('Frame', wrong).message.should.equal(
      `Frame.pose.pose.position.x at byte ${x}: the field cannot have the wire type 5.`,
    )
    failure('Imu', Buffer.from([0x0a, 4, 0x08, 1, 0x12, 0])).path.should.equal('Imu.timestamp.nsec')
    const inner = [0x5a, 6, 0x0a, 4, 0x0a, 2, 0x10, 0x80]
    failure('Dynamics', Buffer.from(inner)).path.should.equal(
      'Dynamics.cam2imu_transform.pose.timestamp.nsec',
    )
  })

  it('does not let a field extend beyond its message', () => {
    const error = failure('Imu', Buffer.from([0x0a, 2, 0x08, 0x80, 0x01, 0x1a, 0]))
    error.should.containEql({ path: 'Imu.timestamp.sec', offset: 2, truncated: true })
    failure('Frame', Buffer.from([0x0a, 3, 0x12, 2, 0x0a, 0, 0])).path.should.equal('Frame.pose.pose')
  })

  it('leaves absent fields absent', () => {
    Object.keys(decode('Dynamics')).should.deepEqual([])
    Object.keys(decode('Dynamics', 0x60, 0)).should.deepEqual(['possible_jump'])
    decode('Imu', 0x12, 0).should.deepEqual({ linear_acceleration: {} })
  })

  it('skips unknown fields of every wire type, and nested groups', () => {
    const unknown = [
      [0xa0, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
      [0xa1, 0x01, 1, 2, 3, 4, 5, 6, 7, 8],
      [0xa2, 0x01, 2, 0xff, 0xff],
      [0xa3, 0x01, 0xab, 0x01, 0xa0, 0x01, 0, 0xac, 0x01, 0xa4, 0x01],
      [0xa5, 0x01, 1, 2, 3, 4],
    ]
    decode('Frame', ...unknown.flat(), 0x1a, 1, 0x61, ...unknown.flat()).should.deepEqual({ name: 'a' })
  })

  it('refuses what no message can contain', () => {
    const fails = (sentence: RegExp, ...bytes: number[]) =>
      failure('Imu', Buffer.from(bytes)).message.should.match(sentence)
    fails(/number 0/, 0x00, 0)
    fails(/number 0/, 0x80, 0, 0)
    fails(/no field has this number/, 0xa0, 0x80, 0x80, 0x80, 0x80, 0x01, 0)
    fails(/no wire type 6/, 0xa6, 0x01)
    fails(/no wire type 7/, 0xa7, 0x01)
    fails(/a group ends/, 0xa4, 0x01)
    fails(/a group ends/, 0xa3, 0x01, 0xac, 0x01)
    fails(/too deep/, ...Array.from({ length: 100 }, () => [0xa3, 0x01]).flat())
    fails(/longer than 64 bits/, 0x0a, 11, 0x08, ...Array<number>(9).fill(0xff), 0x02)
    failure('Frame', Buffer.from([0x1a, 2, 0xc3, 0x28])).message.should.match(/Frame\.name .*not UTF-8/)
    failure('Dynamics', Buffer.from([0x52, 7, 0, 0, 0, 0, 0, 0, 0])).message.should.match(/whole doubles/)
  })

  it('reports a group at its beginning', () => {
    failure('Imu', Buffer.from([0x1a, 0, 0xa3, 0x01, 0x08])).should.containEql({ path: 'Imu.20', offset: 2 })
  })

  it('merges the parts of a message and joins lists, packed and not', () => {
    decode('Imu', 0x0a, 2, 0x08, 1, 0x0a, 2, 0x10, 2).should.deepEqual({ timestamp: { sec: 1, nsec: 2 } })
    decode('Imu', 0x0a, 2, 0x08, 1, 0x0a, 2, 0x08, 3).should.deepEqual({ timestamp: { sec: 3 } })
    const vectorOf = (value: number) => encodeMessage('Imu', { linear_acceleration: { x: value } })
    decode('Imu', ...vectorOf(1), ...vectorOf(2)).should.deepEqual({ linear_acceleration: { x: 2 } })
    const full = encodeMessage('Imu', { angular_velocity: { x: 1, y: 2, z: 3 } })
    decode('Imu', ...full, ...full).should.deepEqual({ angular_velocity: { x: 1, y: 2, z: 3 } })
    const zero = [0, 0, 0, 0, 0, 0, 0, 0]
    const lists = [0x52, 8, ...zero, 0x51, ...zero, 0x51, ...zero, 0x52, 16, ...zero, ...zero]
    decode('Dynamics', ...lists).should.deepEqual({ covariance: [0, 0, 0, 0, 0] })
  })

  it('accepts fields in any order', () => {
    const backwards = [0x19, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0x09, 0, 0, 0, 0, 0, 0, 0, 0x40]
    decode('Imu', 0x12, 18, ...backwards).should.deepEqual({ linear_acceleration: { x: 2, z: 1 } })
  })
})

describe('encodeMessage', () => {
  it('leaves out what is absent or undefined', () => {
    encodeMessage('Imu', { timestamp: undefined }).length.should.equal(0)
  })

  it('refuses a value that the schema does not allow', () => {
    const encoding = (message: object) => () => encodeMessage('Dynamics', message)
    should(encoding({ pose_frame: 5 })).throw('pose_frame must be a text.')
    should(encoding({ timestamp: { sec: 1.5 } })).throw('sec must be an integer of 64 bits.')
    should(encoding({ timestamp: { sec: 2n ** 63n } })).throw('sec must be an integer of 64 bits.')
    should(encoding({ timestamp: { nsec: 2 ** 31 } })).throw('nsec must be an integer of 32 bits.')
    should(encoding({ possible_jump: 1 })).throw('possible_jump must be true or false.')
    should(encoding({ covariance: [1, '2'] })).throw('covariance must be an array of numbers.')
    should(encoding({ pose: { position: { x: '1' } } })).throw('x must be a number.')
    should(encoding({ pose: null })).throw('pose must be an object.')
  })

  it('writes every length in front of a text, a list or a message', () => {
    for (const length of [0, 1, 125, 126, 127, 128, 129, 16_381, 16_383, 16_384, 16_385])
      for (const letter of ['x', 'é', '😀']) {
        const producer = letter.repeat(length)
        const message = { covariance: [length], cam2imu_transform: { producer, pose: {} }, producer }
        decodeMessage('Dynamics', encodeMessage('Dynamics', message)).should.deepEqual(message)
      }
  })

  it('starts afresh after a refused message', () => {
    should(() => encodeMessage('Imu', { timestamp: { sec: 1, nsec: 1.5 } })).throw(TypeError)
    encodeMessage('Imu', { timestamp: { sec: 1 } }).should.deepEqual(Buffer.from([10, 2, 8, 1]))
  })

  it('writes messages of any length', () => {
    const message = {
      covariance: Array.from({ length: 5000 }, (_, index) => index),
      producer: 'é'.repeat(3000),
    }
    decodeMessage('Dynamics', encodeMessage('Dynamics', message)).should.deepEqual(message)
  })
})
