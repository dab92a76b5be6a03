import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, type Type } from 'protobufjs'

const source = readFileSync(join(__dirname, 'image-stream.proto'), 'utf8')
const { root } = parse(source)

/** A message type of the interface description, as an independent implementation reads it. */
export const typeOf = (name: string): Type => root.lookupType(name)

/** The bytes of a message, written by the independent implementation. */
export const bytesOf = (name: string, message: object): Buffer => {
  const type = typeOf(name)
  return Buffer.from(type.encode(type.fromObject(message)).finish())
}

/** A set as it comes over the wire: left and depth, with pixels that count upwards from a start. */
export function wireSet({ number = 1, width = 8, height = 6, left = true, depth = true } = {}): object {
  const timestamp = { sec: 1_700_000_000 + number, nsec: 123_456_789 }
  const image = (encoding: string, bytes: number) => ({
    timestamp,
    ...{ width, height, encoding, step: width * bytes },
    ...{ focalLength: 540, principalPointU: width / 2, principalPointV: height / 2 },
    data: pixels(width * height * bytes, number),
  })
  return {
    timestamp,
    ...(left && { left: { ...image('mono8', 1), exposureTime: 0.5, gain: 2, brightness: 0.25 } }),
    ...(depth && {
      disparity: { timestamp, scale: 0.0625, baseline: 0.25, deltaD: 0.0625, image: image('mono16', 2) },
      confidence: image('mono8', 1),
    }),
  }
}

/** The bytes of such a set. */
export const setBytes = (options: Parameters<typeof wireSet>[0] = {}): Buffer =>
  bytesOf('ImageSet', wireSet(options))

/** Bytes that differ from set to set. */
export function pixels(length: number, number: number): Buffer {
  const data = Buffer.alloc(length)
  for (let index = 0; index < length; index++) data[index] = (index * 7 + number) & 255
  return data
}
