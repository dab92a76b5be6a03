import { imageMessages, type ImageMessages } from '../../lib/codec/images/codec'
import { ProtobufError } from '../../lib/codec/protobuf/codec'
import { Writer } from '../../lib/codec/protobuf/wire'

/** Serialized fields in pieces, so that pixels are never copied. */
export type Pieces = readonly Uint8Array[]

const writer = new Writer()

export const bytesIn = (pieces: Pieces): number => pieces.reduce((sum, { length }) => sum + length, 0)

/** A message or bytes, with its length in front. */
function nested(number: number, content: Pieces): Pieces {
  writer.start()
  writer.integer(8 * number + 2)
  writer.integer(bytesIn(content))
  return [writer.finish(), ...content]
}

/** Some fields of a message; what equals its default is not sent. */
const part = <Type extends keyof ImageMessages>(type: Type, fields: ImageMessages[Type]): Uint8Array =>
  imageMessages.encode(
    type,
    Object.fromEntries(Object.entries(fields).filter(([, value]) => Boolean(value))) as ImageMessages[Type],
  )

/** What was set at the sensor when a picture was taken. */
export interface Taking {
  /** Device time, nanoseconds since 1970. */
  time: bigint
  /** Time of the camera's images, where it is another than that of the depth. */
  cameraTime?: bigint
  /** Seconds. */
  exposure: number
  /** dB */
  gain: number
  /** Standard deviation of a pixel at medium brightness, as a share of the range. */
  noise: number
  /** 0 to 1. */
  brightness: number
  /** 0 to 1. */
  out1_reduction: number
  /** Bit masks of the existing inputs and outputs, and the levels of both. */
  gpios: { inputs: number; outputs: number; values: number }
}

/** An image as it is sent; its rows follow each other without padding. */
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
  /** Metres. */
  baseline: number
}

/** One image set; what was not asked for is absent. */
export interface SentSet {
  taking: Taking
  left?: SentImage
  right?: SentImage
  disparity?: SentDisparity
  error?: SentImage
  confidence?: SentImage
  /** A whole PLY file. */
  mesh?: Uint8Array
}

const bytesPerPixel = { mono8: 1, mono16: 2, rgb8: 3 } as const

/** The message `ImageSet`, without copying a pixel. */
export function imageSet({ taking, left, right, disparity, error, confidence, mesh }: SentSet): Pieces {
  const image = (number: number, sent: SentImage | undefined, time = taking.time): Pieces =>
    sent ? nested(number, imageFields(sent, { ...taking, time })) : []
  const timestamp = timeOf(taking.time)
  return [
    part('ImageSet', { timestamp }),
    ...image(2, left, taking.cameraTime),
    ...image(3, right, taking.cameraTime),
    ...(disparity ? nested(4, disparityFields(disparity, taking)) : []),
    ...image(5, error),
    ...image(6, confidence),
    ...(mesh ? nested(7, [part('Mesh', { timestamp, format: 'ply' }), ...nested(3, [mesh])]) : []),
  ]
}

/** The message `ImageEvents`: the pictures for a depth image are taken. Nanoseconds since 1970. */
export const depthAcquisitionDone = (at: bigint, ofSet: bigint): Pieces => [
  part('ImageEvents', { done: { takenAt: at }, timestamp: ofSet }),
]

function imageFields({ width, height, focal, u, v, encoding, data }: SentImage, taking: Taking): Pieces {
  const { exposure, gain, noise, brightness, out1_reduction, gpios } = taking
  const timestamp = timeOf(taking.time)
  const step = width * bytesPerPixel[encoding]
  return [
    part('Image', { timestamp, height, width, focalLength: focal, u, v, encoding, step }),
    ...nested(10, [data]),
    part('Image', { gpios, exposureTime: exposure, gain, noise, out1Reduction: out1_reduction, brightness }),
  ]
}

function disparityFields(disparity: SentDisparity, taking: Taking): Pieces {
  const { scale, baseline } = disparity
  // Offset and invalid value are 0, which is not sent.
  const fields = part('DisparityImage', { timestamp: timeOf(taking.time), scale, baseline, deltaD: scale })
  return [fields, ...nested(7, imageFields(disparity, taking))]
}

const billion = 1_000_000_000n
const timeOf = (nanoseconds: bigint) => ({
  sec: Number(nanoseconds / billion),
  nsec: Number(nanoseconds % billion),
})

/** What a client wants in each set. */
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
  /** Of the points of a bin the nearest, instead of their average. */
  nearest: boolean
  /** All edges joined, all holes filled. */
  watertight: boolean
  textured: boolean
}

/** The request of a method, or undefined if it is no valid message. */
export function imageSetRequest(bytes: Uint8Array): ImageSetRequest | undefined {
  const request = readable('ImageSetRequest', bytes)
  return (
    request && {
      ...{
        left: false,
        right: false,
        disparity: false,
        error: false,
        confidence: false,
        mesh: false,
        color: false,
      },
      ...request,
      meshOptions: {
        maxPoints: 0,
        nearest: false,
        watertight: false,
        textured: false,
        ...request.meshOptions,
      },
    }
  )
}

/** Whether the client wants the events, or undefined if the request is no valid message. */
export const eventsRequest = (bytes: Uint8Array): { depthAcquisitionDone: boolean } | undefined => {
  const request = readable('ImageEventsRequest', bytes)
  return request && { depthAcquisitionDone: request.depthAcquisitionDone === true }
}

function readable<Type extends keyof ImageMessages>(
  type: Type,
  bytes: Uint8Array,
): ImageMessages[Type] | undefined {
  try {
    return imageMessages.decode(type, bytes)
  } catch (error) {
    if (error instanceof ProtobufError) return undefined
    throw error
  }
}
