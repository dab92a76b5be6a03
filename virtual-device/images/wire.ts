import { Cursor, Misread, skipField } from '../../lib/codec/streams/wire'
import { Writer } from '../../lib/codec/streams/encode'

/** Serialized fields in pieces, so that pixels are never copied. */
export type Pieces = readonly Uint8Array[]

const writer = new Writer() // writing is synchronous, so one writer serves all

export const bytesIn = (pieces: Pieces): number => pieces.reduce((sum, { length }) => sum + length, 0)

const nested = (number: number, content: Pieces): Pieces => [
  written(() => {
    writer.integer(8 * number + 2)
    writer.integer(bytesIn(content))
  }),
  ...content,
]

/** `int`: a varint; `float`: 32 bits; `text`. */
type Scalar = readonly [number: number, kind: 'int' | 'float' | 'text', value: number | bigint | string]

/** Default values are not sent. */
const scalars = (...fields: readonly Scalar[]): Uint8Array =>
  written(() => {
    for (const [number, kind, value] of fields) {
      if (value === '' || Number(value) === 0) continue
      writer.integer(8 * number + wireTypes[kind])
      if (typeof value === 'string') writer.text(value)
      else if (kind === 'float') writer.float(Number(value))
      else writer.integer(value)
    }
  })

const wireTypes = { int: 0, float: 5, text: 2 } as const

function written(write: () => void): Uint8Array {
  writer.start()
  write()
  return writer.finish()
}

/** Sensor settings of a picture. */
export interface Taking {
  /** Device time, nanoseconds since 1970. */
  time: bigint
  /** If it differs from that of the depth. */
  cameraTime?: bigint
  /** Seconds. */
  exposure: number
  /** dB */
  gain: number
  /** Standard deviation of a pixel at medium brightness, as a share of the range. */
  noise: number
  brightness: number
  /** 0 to 1. */
  out1_reduction: number
  /** Bit masks of the existing inputs and outputs, and the levels of both. */
  gpios: { inputs: number; outputs: number; values: number }
}

/** Rows without padding. */
export interface SentImage {
  width: number
  height: number
  /** Pixels of this image. */
  focal: number
  /** Principal point: column and row whose ray is the camera's axis; whole numbers are centres of pixels. */
  u: number
  v: number
  encoding: 'mono8' | 'mono16' | 'rgb8'
  data: Uint8Array
}

interface SentDisparity extends SentImage {
  /** Pixels of disparity per unit. */
  scale: number
  baseline: number
}

/** Parts that were not requested are undefined. */
export interface SentSet {
  taking: Taking
  left?: SentImage
  right?: SentImage
  disparity?: SentDisparity
  error?: SentImage
  confidence?: SentImage
  mesh?: Uint8Array
}

const bytesPerPixel = { mono8: 1, mono16: 2, rgb8: 3 } as const

/** The message `ImageSet`, without copying a pixel. */
export function imageSet({ taking, left, right, disparity, error, confidence, mesh }: SentSet): Pieces {
  const image = (number: number, sent: SentImage | undefined, time = taking.time): Pieces =>
    sent ? nested(number, imageFields(sent, { ...taking, time })) : []
  return [
    ...time(taking.time),
    ...image(2, left, taking.cameraTime),
    ...image(3, right, taking.cameraTime),
    ...(disparity ? nested(4, disparityFields(disparity, taking)) : []),
    ...image(5, error),
    ...image(6, confidence),
    ...(mesh ? nested(7, [...time(taking.time), scalars([2, 'text', 'ply']), ...nested(3, [mesh])]) : []),
  ]
}

/** The message `ImageEvents`: the pictures for a depth image are taken. Nanoseconds since 1970. */
export const depthAcquisitionDone = (at: bigint, ofSet: bigint): Pieces => [
  ...nested(1, [scalars([1, 'int', at])]),
  scalars([2, 'int', ofSet]),
]

function imageFields({ width, height, focal, u, v, encoding, data }: SentImage, taking: Taking): Pieces {
  const { exposure, gain, noise, brightness, out1_reduction, gpios } = taking
  return [
    ...time(taking.time),
    scalars(
      [2, 'int', height],
      [3, 'int', width],
      [4, 'float', focal],
      [5, 'float', u],
      [6, 'float', v],
      [7, 'text', encoding],
      [9, 'int', width * bytesPerPixel[encoding]],
    ),
    ...nested(10, [data]),
    ...nested(11, [scalars([1, 'int', gpios.inputs], [2, 'int', gpios.outputs], [3, 'int', gpios.values])]),
    scalars(
      [12, 'float', exposure],
      [13, 'float', gain],
      [14, 'float', noise],
      [16, 'float', out1_reduction],
      [17, 'float', brightness],
    ),
  ]
}

const disparityFields = (disparity: SentDisparity, taking: Taking): Pieces => [
  ...time(taking.time),
  // Offset and invalid value are 0, which is not sent.
  scalars([2, 'float', disparity.scale], [5, 'float', disparity.baseline], [6, 'float', disparity.scale]),
  ...nested(7, imageFields(disparity, taking)),
]

const billion = 1_000_000_000n
const time = (nanoseconds: bigint): Pieces =>
  nested(1, [scalars([1, 'int', nanoseconds / billion], [2, 'int', nanoseconds % billion])])

export interface ImageSetRequest {
  left: boolean
  right: boolean
  disparity: boolean
  error: boolean
  confidence: boolean
  mesh: boolean
  /** Left and right as rgb8. */
  color: boolean
  meshOptions: MeshOptions
}

export interface MeshOptions {
  /** 0 means no limit. */
  maxPoints: number
  /** The nearest point of a bin, instead of the average. */
  nearest: boolean
  /** All edges joined, all holes filled. */
  watertight: boolean
  textured: boolean
}

/** Undefined if the message is invalid. */
export const imageSetRequest = (bytes: Uint8Array): ImageSetRequest | undefined =>
  readable(() => {
    const { flags, parts } = fieldsIn(bytes)
    const options = fieldsIn(parts.get(7) ?? Buffer.alloc(0)).flags
    return {
      left: isSet(flags, 1),
      right: isSet(flags, 2),
      disparity: isSet(flags, 3),
      error: isSet(flags, 4),
      confidence: isSet(flags, 5),
      mesh: isSet(flags, 6),
      color: isSet(flags, 8),
      meshOptions: {
        maxPoints: (options.get(1) ?? 0) >>> 0,
        nearest: options.get(2) === 1,
        watertight: isSet(options, 3),
        textured: isSet(options, 4),
      },
    }
  })

/** Undefined if the message is invalid. */
export const eventsRequest = (bytes: Uint8Array): { depthAcquisitionDone: boolean } | undefined =>
  readable(() => ({ depthAcquisitionDone: isSet(fieldsIn(bytes).flags, 1) }))

const isSet = (flags: ReadonlyMap<number, number>, number: number) => (flags.get(number) ?? 0) !== 0

/** Varints and messages by field number; the last of a repeated one. Other kinds are skipped. */
function fieldsIn(bytes: Uint8Array) {
  const cursor = new Cursor(bytes)
  const flags = new Map<number, number>()
  const parts = new Map<number, Uint8Array>()
  while (cursor.at < bytes.length) {
    const tag = cursor.longTag(bytes.length)
    const number = tag >>> 3
    if ((tag & 7) === 0) flags.set(number, cursor.int32(bytes.length))
    else if ((tag & 7) === 2) {
      const end = cursor.end(bytes.length)
      parts.set(number, bytes.subarray(cursor.at, end))
      cursor.at = end
    } else skipField(cursor, tag, bytes.length)
  }
  return { flags, parts }
}

function readable<Message>(read: () => Message): Message | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Misread) return undefined
    throw error
  }
}
