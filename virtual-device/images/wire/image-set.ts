import { nested, scalars, type Pieces } from './fields'

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

export interface SentDisparity extends SentImage {
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
