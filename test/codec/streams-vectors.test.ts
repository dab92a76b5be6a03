import 'should'
import { decodeMessage, encodeMessage } from '../../lib/codec/streams'
import { vector, vectors } from './streams-text-format'

describe('stream messages encoded by protoc', () => {
  for (const { name, type, bytes, message } of vectors) {
    it(`are decoded: ${name}`, () => {
      decodeMessage(type, bytes).should.deepEqual(message)
    })

    if (/-(unpacked|newer)$/.test(name)) continue
    it(`are encoded byte for byte: ${name}`, () => {
      encodeMessage(type, message).should.deepEqual(bytes)
    })
  }

  it('are decoded from any kind of byte array, at any offset', () => {
    const { bytes, message } = vector('Dynamics-covariance')
    const apart = new Uint8Array(bytes.length + 13)
    apart.set(bytes, 5)
    decodeMessage('Dynamics', apart.subarray(5, 5 + bytes.length)).should.deepEqual(message)
  })

  it('have seconds as a number if it is exact, otherwise as a bigint', () => {
    const seconds = (name: string) => decodeMessage('Imu', vector(name).bytes).timestamp?.sec
    ;[seconds('Imu-longest'), seconds('Imu-beyond')].should.deepEqual([2 ** 53 - 1, 2n ** 53n + 1n])
  })

  it('fit into the datagrams that receivers expect, without covariance', () => {
    vector('Dynamics').bytes.length.should.be.within(280, 330)
    vector('Dynamics-covariance').bytes.length.should.be.within(2048, 2200)
  })
})
